// What the page of an alert says besides the words of messages, in every language.
import type { Language } from '../../texts/languages.ts'

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
  readonly console: string
  /** Who was told, who was not, and why. */
  readonly told: string
  readonly tellings: {
    readonly sent: string
    /** Nothing failed: it is its turn later. */
    readonly later: string
    /** It failed, and is tried again at the time that follows. */
    readonly nextTry: string
    readonly givenUp: string
  }
  readonly failures: {
    readonly answered: (status: number) => string
    readonly timeout: string
    readonly connection: string
  }
  /** Entries of the timeline. */
  /** A person declared it. */
  readonly reported: string
  readonly detected: string
  readonly detectedAgain: string
  readonly worsened: string
  readonly unstable: string
  readonly settled: string
  readonly held: string
  readonly released: string
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
    console: 'Open in the console',
    told: 'Who was told',
    tellings: {
      sent: 'Told',
      later: 'Later:',
      nextTry: 'Not told, next try:',
      givenUp: 'Given up',
    },
    failures: {
      answered: (status) => `The receiver answered ${status}.`,
      timeout: 'The receiver did not answer in time.',
      connection: 'The receiver could not be reached.',
    },
    reported: 'Reported',
    detected: 'Detected',
    detectedAgain: 'Detected again',
    worsened: 'Became an outage',
    unstable: 'Unstable',
    settled: 'No longer unstable',
    held: 'Alerts held: a service that it depends on is down',
    released: 'Alerts no longer held',
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
    console: 'In der Konsole öffnen',
    told: 'Wer es erfuhr',
    tellings: {
      sent: 'Benachrichtigt',
      later: 'Später:',
      nextTry: 'Nicht benachrichtigt, nächster Versuch:',
      givenUp: 'Aufgegeben',
    },
    failures: {
      answered: (status) => `Der Empfänger antwortete mit ${status}.`,
      timeout: 'Der Empfänger antwortete nicht rechtzeitig.',
      connection: 'Der Empfänger war nicht erreichbar.',
    },
    reported: 'Gemeldet',
    detected: 'Erkannt',
    detectedAgain: 'Erneut erkannt',
    worsened: 'Zum Ausfall geworden',
    unstable: 'Instabil',
    settled: 'Nicht mehr instabil',
    held: 'Meldungen zurückgehalten: Ein Dienst, von dem er abhängt, ist ausgefallen',
    released: 'Meldungen nicht mehr zurückgehalten',
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
    console: 'Ouvrir dans la console',
    told: 'Qui a été prévenu',
    tellings: {
      sent: 'Prévenu',
      later: 'Plus tard :',
      nextTry: 'Non prévenu, prochain essai :',
      givenUp: 'Abandonné',
    },
    failures: {
      answered: (status) => `Le destinataire a répondu ${status}.`,
      timeout: 'Le destinataire n’a pas répondu à temps.',
      connection: 'Le destinataire est injoignable.',
    },
    reported: 'Signalé',
    detected: 'Détecté',
    detectedAgain: 'Détecté de nouveau',
    worsened: 'Devenu une panne',
    unstable: 'Instable',
    settled: 'Plus instable',
    held: 'Alertes retenues : un service dont il dépend est en panne',
    released: 'Alertes plus retenues',
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
    console: 'Abrir en la consola',
    told: 'Quién fue avisado',
    tellings: {
      sent: 'Avisado',
      later: 'Más tarde:',
      nextTry: 'No avisado, próximo intento:',
      givenUp: 'Abandonado',
    },
    failures: {
      answered: (status) => `El receptor respondió ${status}.`,
      timeout: 'El receptor no respondió a tiempo.',
      connection: 'No se pudo contactar con el receptor.',
    },
    reported: 'Notificado',
    detected: 'Detectado',
    detectedAgain: 'Detectado de nuevo',
    worsened: 'Se convirtió en una caída',
    unstable: 'Inestable',
    settled: 'Ya no es inestable',
    held: 'Alertas retenidas: un servicio del que depende está caído',
    released: 'Alertas ya no retenidas',
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
    console: 'Apri nella console',
    told: 'Chi è stato avvisato',
    tellings: {
      sent: 'Avvisato',
      later: 'Più tardi:',
      nextTry: 'Non avvisato, prossimo tentativo:',
      givenUp: 'Abbandonato',
    },
    failures: {
      answered: (status) => `Il destinatario ha risposto ${status}.`,
      timeout: 'Il destinatario non ha risposto in tempo.',
      connection: 'Il destinatario non è raggiungibile.',
    },
    reported: 'Segnalato',
    detected: 'Rilevato',
    detectedAgain: 'Rilevato di nuovo',
    worsened: 'Diventato un’interruzione',
    unstable: 'Instabile',
    settled: 'Non più instabile',
    held: 'Avvisi trattenuti: un servizio da cui dipende non è raggiungibile',
    released: 'Avvisi non più trattenuti',
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
    console: 'Abrir na consola',
    told: 'Quem foi avisado',
    tellings: {
      sent: 'Avisado',
      later: 'Mais tarde:',
      nextTry: 'Não avisado, próxima tentativa:',
      givenUp: 'Abandonado',
    },
    failures: {
      answered: (status) => `O destinatário respondeu ${status}.`,
      timeout: 'O destinatário não respondeu a tempo.',
      connection: 'Não foi possível contactar o destinatário.',
    },
    reported: 'Comunicado',
    detected: 'Detetado',
    detectedAgain: 'Detetado de novo',
    worsened: 'Tornou-se uma falha',
    unstable: 'Instável',
    settled: 'Já não está instável',
    held: 'Alertas retidos: um serviço do qual depende está fora do ar',
    released: 'Alertas já não retidos',
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
    console: 'Openen in de console',
    told: 'Wie is ingelicht',
    tellings: {
      sent: 'Ingelicht',
      later: 'Later:',
      nextTry: 'Niet ingelicht, volgende poging:',
      givenUp: 'Opgegeven',
    },
    failures: {
      answered: (status) => `De ontvanger antwoordde ${status}.`,
      timeout: 'De ontvanger antwoordde niet op tijd.',
      connection: 'De ontvanger was niet bereikbaar.',
    },
    reported: 'Gemeld',
    detected: 'Ontdekt',
    detectedAgain: 'Opnieuw ontdekt',
    worsened: 'Werd een storing',
    unstable: 'Instabiel',
    settled: 'Niet langer instabiel',
    held: 'Meldingen vastgehouden: een dienst waarvan hij afhangt, is uitgevallen',
    released: 'Meldingen niet langer vastgehouden',
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
    console: 'Otwórz w konsoli',
    told: 'Kto został powiadomiony',
    tellings: {
      sent: 'Powiadomiono',
      later: 'Później:',
      nextTry: 'Nie powiadomiono, następna próba:',
      givenUp: 'Zaniechano',
    },
    failures: {
      answered: (status) => `Odbiorca odpowiedział ${status}.`,
      timeout: 'Odbiorca nie odpowiedział na czas.',
      connection: 'Odbiorca jest nieosiągalny.',
    },
    reported: 'Zgłoszono',
    detected: 'Wykryto',
    detectedAgain: 'Wykryto ponownie',
    worsened: 'Przerodziło się w awarię',
    unstable: 'Niestabilny',
    settled: 'Już nie niestabilny',
    held: 'Alerty wstrzymane: usługa, od której zależy, nie działa',
    released: 'Alerty już nie są wstrzymane',
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
    console: 'コンソールで開く',
    told: '通知の状況',
    tellings: {
      sent: '通知済み',
      later: '後で通知：',
      nextTry: '未通知、次の試行：',
      givenUp: '断念',
    },
    failures: {
      answered: (status) => `受信側の応答: ${status}。`,
      timeout: '受信側は時間内に応答しませんでした。',
      connection: '受信側に接続できませんでした。',
    },
    reported: '報告',
    detected: '検出',
    detectedAgain: '再検出',
    worsened: '停止に悪化',
    unstable: '不安定',
    settled: '不安定な状態は終了',
    held: 'アラート保留:依存するサービスが停止しています',
    released: 'アラートの保留を解除',
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
    console: '在控制台中打开',
    told: '通知情况',
    tellings: {
      sent: '已通知',
      later: '稍后：',
      nextTry: '未通知，下次尝试：',
      givenUp: '已放弃',
    },
    failures: {
      answered: (status) => `接收方返回 ${status}。`,
      timeout: '接收方未及时响应。',
      connection: '无法连接接收方。',
    },
    reported: '已报告',
    detected: '已检测到',
    detectedAgain: '再次检测到',
    worsened: '已变为中断',
    unstable: '不稳定',
    settled: '不再不稳定',
    held: '警报已暂缓:它所依赖的服务不可用',
    released: '警报不再暂缓',
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
    console: 'Konsolda aç',
    told: 'Kime haber verildi',
    tellings: {
      sent: 'Haber verildi',
      later: 'Daha sonra:',
      nextTry: 'Haber verilemedi, sonraki deneme:',
      givenUp: 'Vazgeçildi',
    },
    failures: {
      answered: (status) => `Alıcı ${status} yanıtını verdi.`,
      timeout: 'Alıcı zamanında yanıt vermedi.',
      connection: 'Alıcıya ulaşılamadı.',
    },
    reported: 'Bildirildi',
    detected: 'Algılandı',
    detectedAgain: 'Yeniden algılandı',
    worsened: 'Kesintiye dönüştü',
    unstable: 'Kararsız',
    settled: 'Artık kararsız değil',
    held: 'Uyarılar bekletiliyor: bağlı olduğu bir hizmet çalışmıyor',
    released: 'Uyarılar artık bekletilmiyor',
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
    console: 'فتح في لوحة التحكم',
    told: 'من تم إبلاغه',
    tellings: {
      sent: 'تم الإبلاغ',
      later: 'لاحقًا:',
      nextTry: 'لم يتم الإبلاغ، المحاولة التالية:',
      givenUp: 'تم التخلي',
    },
    failures: {
      answered: (status) => `أجاب المستلم بالرمز ${status}.`,
      timeout: 'لم يجب المستلم في الوقت المحدد.',
      connection: 'تعذّر الوصول إلى المستلم.',
    },
    reported: 'تم الإبلاغ',
    detected: 'تم الاكتشاف',
    detectedAgain: 'تم الاكتشاف مجددًا',
    worsened: 'تحول إلى انقطاع',
    unstable: 'غير مستقر',
    settled: 'لم يعد غير مستقر',
    held: 'التنبيهات معلّقة: خدمة يعتمد عليها متوقفة',
    released: 'لم تعد التنبيهات معلّقة',
    paused: 'تم إيقاف المراقبة مؤقتًا.',
    deleted: 'تم حذف المراقبة.',
  },
}
