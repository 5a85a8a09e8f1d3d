// What the page of an alert says besides the words of messages, in every language.
import type { Language } from '../../domain/language.ts'

/** Functions take texts as they are; the page escapes afterwards. */
export interface AlertPageWords {
  /** The button. */
  readonly acknowledge: string
  /** What the button does. */
  readonly acknowledging: string
  /** While nobody has pressed it. */
  readonly unacknowledged: string
  readonly acknowledged: string
  readonly acknowledgedThrough: (channel: string) => string
  readonly acknowledgedBy: (person: string) => string
  readonly over: string
  readonly timeline: string
  readonly statusPage: (title: string) => string
  /** Entries of the timeline. */
  /** A person declared it. */
  readonly reported: string
  readonly detected: string
  readonly detectedAgain: string
  readonly worsened: string
  readonly unstable: string
  readonly settled: string
  readonly paused: string
  readonly deleted: string
}

/** The page's own words of a language. */
export function alertPageWords(language: Language): AlertPageWords {
  return words[language]
}

const words: Readonly<Record<Language, AlertPageWords>> = {
  en: {
    acknowledge: 'Acknowledge',
    acknowledging: 'Reminders stop, and everybody who was alerted learns that it is taken care of.',
    unacknowledged: 'Nobody has acknowledged this incident yet.',
    acknowledged: 'This incident is acknowledged.',
    acknowledgedThrough: (channel) => `Acknowledged through ${channel}`,
    acknowledgedBy: (person) => `Acknowledged by ${person}`,
    over: 'This incident is over.',
    timeline: 'Timeline',
    statusPage: (title) => `Status page: ${title}`,
    reported: 'Reported',
    detected: 'Detected',
    detectedAgain: 'Detected again',
    worsened: 'Became an outage',
    unstable: 'Unstable',
    settled: 'No longer unstable',
    paused: 'The monitor was paused.',
    deleted: 'The monitor was deleted.',
  },
  de: {
    acknowledge: 'Übernehmen',
    acknowledging:
      'Erinnerungen enden, und alle Benachrichtigten erfahren, dass sich jemand darum kümmert.',
    unacknowledged: 'Diesen Vorfall hat noch niemand übernommen.',
    acknowledged: 'Dieser Vorfall ist übernommen.',
    acknowledgedThrough: (channel) => `Übernommen über ${channel}`,
    acknowledgedBy: (person) => `Übernommen von ${person}`,
    over: 'Dieser Vorfall ist vorbei.',
    timeline: 'Verlauf',
    statusPage: (title) => `Statusseite: ${title}`,
    reported: 'Gemeldet',
    detected: 'Erkannt',
    detectedAgain: 'Erneut erkannt',
    worsened: 'Zum Ausfall geworden',
    unstable: 'Instabil',
    settled: 'Nicht mehr instabil',
    paused: 'Der Monitor wurde pausiert.',
    deleted: 'Der Monitor wurde gelöscht.',
  },
  fr: {
    acknowledge: 'Prendre en charge',
    acknowledging:
      'Les rappels cessent, et toutes les personnes alertées apprennent que l’incident est pris ' +
      'en charge.',
    unacknowledged: 'Personne n’a encore pris en charge cet incident.',
    acknowledged: 'Cet incident est pris en charge.',
    acknowledgedThrough: (channel) => `Pris en charge via ${channel}`,
    acknowledgedBy: (person) => `Pris en charge par ${person}`,
    over: 'Cet incident est terminé.',
    timeline: 'Chronologie',
    statusPage: (title) => `Page d’état : ${title}`,
    reported: 'Signalé',
    detected: 'Détecté',
    detectedAgain: 'Détecté de nouveau',
    worsened: 'Devenu une panne',
    unstable: 'Instable',
    settled: 'Plus instable',
    paused: 'Le moniteur a été mis en pause.',
    deleted: 'Le moniteur a été supprimé.',
  },
  es: {
    acknowledge: 'Confirmar',
    acknowledging:
      'Los recordatorios cesan y todos los avisados saben que alguien se ocupa del incidente.',
    unacknowledged: 'Nadie ha confirmado este incidente todavía.',
    acknowledged: 'Este incidente está confirmado.',
    acknowledgedThrough: (channel) => `Confirmado a través de ${channel}`,
    acknowledgedBy: (person) => `Confirmado por ${person}`,
    over: 'Este incidente ha terminado.',
    timeline: 'Cronología',
    statusPage: (title) => `Página de estado: ${title}`,
    reported: 'Notificado',
    detected: 'Detectado',
    detectedAgain: 'Detectado de nuevo',
    worsened: 'Se convirtió en una caída',
    unstable: 'Inestable',
    settled: 'Ya no es inestable',
    paused: 'El monitor se puso en pausa.',
    deleted: 'El monitor se eliminó.',
  },
  it: {
    acknowledge: 'Prendi in carico',
    acknowledging:
      'I promemoria cessano e tutte le persone avvisate sanno che qualcuno se ne occupa.',
    unacknowledged: 'Nessuno ha ancora preso in carico questo incidente.',
    acknowledged: 'Questo incidente è preso in carico.',
    acknowledgedThrough: (channel) => `Preso in carico tramite ${channel}`,
    acknowledgedBy: (person) => `Preso in carico da ${person}`,
    over: 'Questo incidente è terminato.',
    timeline: 'Cronologia',
    statusPage: (title) => `Pagina di stato: ${title}`,
    reported: 'Segnalato',
    detected: 'Rilevato',
    detectedAgain: 'Rilevato di nuovo',
    worsened: 'Diventato un’interruzione',
    unstable: 'Instabile',
    settled: 'Non più instabile',
    paused: 'Il monitor è stato messo in pausa.',
    deleted: 'Il monitor è stato eliminato.',
  },
  pt: {
    acknowledge: 'Assumir',
    acknowledging:
      'Os lembretes param, e todos os avisados ficam a saber que alguém está a tratar.',
    unacknowledged: 'Ainda ninguém assumiu este incidente.',
    acknowledged: 'Este incidente foi assumido.',
    acknowledgedThrough: (channel) => `Assumido através de ${channel}`,
    acknowledgedBy: (person) => `Assumido por ${person}`,
    over: 'Este incidente terminou.',
    timeline: 'Cronologia',
    statusPage: (title) => `Página de estado: ${title}`,
    reported: 'Comunicado',
    detected: 'Detetado',
    detectedAgain: 'Detetado de novo',
    worsened: 'Tornou-se uma falha',
    unstable: 'Instável',
    settled: 'Já não está instável',
    paused: 'O monitor foi posto em pausa.',
    deleted: 'O monitor foi eliminado.',
  },
  nl: {
    acknowledge: 'Bevestigen',
    acknowledging:
      'Herinneringen stoppen, en iedereen die gewaarschuwd is, weet dat er iemand mee bezig is.',
    unacknowledged: 'Nog niemand heeft dit incident bevestigd.',
    acknowledged: 'Dit incident is bevestigd.',
    acknowledgedThrough: (channel) => `Bevestigd via ${channel}`,
    acknowledgedBy: (person) => `Bevestigd door ${person}`,
    over: 'Dit incident is voorbij.',
    timeline: 'Tijdlijn',
    statusPage: (title) => `Statuspagina: ${title}`,
    reported: 'Gemeld',
    detected: 'Ontdekt',
    detectedAgain: 'Opnieuw ontdekt',
    worsened: 'Werd een storing',
    unstable: 'Instabiel',
    settled: 'Niet langer instabiel',
    paused: 'De monitor is gepauzeerd.',
    deleted: 'De monitor is verwijderd.',
  },
  pl: {
    acknowledge: 'Potwierdź',
    acknowledging:
      'Przypomnienia ustają, a wszyscy powiadomieni dowiadują się, że ktoś się tym zajmuje.',
    unacknowledged: 'Nikt jeszcze nie potwierdził tego incydentu.',
    acknowledged: 'Ten incydent jest potwierdzony.',
    acknowledgedThrough: (channel) => `Potwierdzono przez kanał ${channel}`,
    acknowledgedBy: (person) => `Potwierdzono przez: ${person}`,
    over: 'Ten incydent się zakończył.',
    timeline: 'Oś czasu',
    statusPage: (title) => `Strona statusu: ${title}`,
    reported: 'Zgłoszono',
    detected: 'Wykryto',
    detectedAgain: 'Wykryto ponownie',
    worsened: 'Przerodziło się w awarię',
    unstable: 'Niestabilny',
    settled: 'Już nie niestabilny',
    paused: 'Monitor został wstrzymany.',
    deleted: 'Monitor został usunięty.',
  },
  ja: {
    acknowledge: '対応を開始',
    acknowledging: 'リマインダーが止まり、通知を受けた全員に対応中であることが伝わります。',
    unacknowledged: 'このインシデントはまだ誰も確認していません。',
    acknowledged: 'このインシデントは確認済みです。',
    acknowledgedThrough: (channel) => `${channel} から確認されました`,
    acknowledgedBy: (person) => `${person} が確認しました`,
    over: 'このインシデントは終了しました。',
    timeline: 'タイムライン',
    statusPage: (title) => `ステータスページ: ${title}`,
    reported: '報告',
    detected: '検出',
    detectedAgain: '再検出',
    worsened: '停止に悪化',
    unstable: '不安定',
    settled: '不安定な状態は終了',
    paused: 'モニターが一時停止されました。',
    deleted: 'モニターが削除されました。',
  },
  zh: {
    acknowledge: '确认',
    acknowledging: '提醒将停止，所有收到警报的人都会知道已有人处理。',
    unacknowledged: '此事件尚无人确认。',
    acknowledged: '此事件已确认。',
    acknowledgedThrough: (channel) => `已通过 ${channel} 确认`,
    acknowledgedBy: (person) => `已由 ${person} 确认`,
    over: '此事件已结束。',
    timeline: '时间线',
    statusPage: (title) => `状态页：${title}`,
    reported: '已报告',
    detected: '已检测到',
    detectedAgain: '再次检测到',
    worsened: '已变为中断',
    unstable: '不稳定',
    settled: '不再不稳定',
    paused: '监控已暂停。',
    deleted: '监控已删除。',
  },
  tr: {
    acknowledge: 'Üstlen',
    acknowledging: 'Hatırlatmalar durur ve uyarılan herkes birinin bununla ilgilendiğini öğrenir.',
    unacknowledged: 'Bu olayı henüz kimse üstlenmedi.',
    acknowledged: 'Bu olay üstlenildi.',
    acknowledgedThrough: (channel) => `${channel} üzerinden üstlenildi`,
    acknowledgedBy: (person) => `${person} tarafından üstlenildi`,
    over: 'Bu olay sona erdi.',
    timeline: 'Zaman çizelgesi',
    statusPage: (title) => `Durum sayfası: ${title}`,
    reported: 'Bildirildi',
    detected: 'Algılandı',
    detectedAgain: 'Yeniden algılandı',
    worsened: 'Kesintiye dönüştü',
    unstable: 'Kararsız',
    settled: 'Artık kararsız değil',
    paused: 'İzleme duraklatıldı.',
    deleted: 'İzleme silindi.',
  },
  ar: {
    acknowledge: 'تأكيد الاستلام',
    acknowledging: 'تتوقف التذكيرات، ويعلم كل من تم تنبيهه أن هناك من يتولى الأمر.',
    unacknowledged: 'لم يؤكد أحد استلام هذا الحادث بعد.',
    acknowledged: 'تم تأكيد استلام هذا الحادث.',
    acknowledgedThrough: (channel) => `تم التأكيد عبر ${channel}`,
    acknowledgedBy: (person) => `تم التأكيد بواسطة ${person}`,
    over: 'انتهى هذا الحادث.',
    timeline: 'التسلسل الزمني',
    statusPage: (title) => `صفحة الحالة: ${title}`,
    reported: 'تم الإبلاغ',
    detected: 'تم الاكتشاف',
    detectedAgain: 'تم الاكتشاف مجددًا',
    worsened: 'تحول إلى انقطاع',
    unstable: 'غير مستقر',
    settled: 'لم يعد غير مستقر',
    paused: 'تم إيقاف المراقبة مؤقتًا.',
    deleted: 'تم حذف المراقبة.',
  },
}
