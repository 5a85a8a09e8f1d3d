// What the page that ends letters of alerts says, in every language.
import type { Language } from '../../domain/language.ts'

/** What the page names. Texts are taken as they are; the page escapes afterwards. */
export interface EndingLetters {
  readonly address: string
  readonly channel: string
  readonly organization: string
}

export interface UnsubscribeWords {
  readonly question: string
  readonly about: (letters: EndingLetters) => string
  readonly consequence: string
  readonly button: string
  readonly ended: string
  readonly endedBody: string
}

export function unsubscribeWords(language: Language): UnsubscribeWords {
  return words[language]
}

const words: Readonly<Record<Language, UnsubscribeWords>> = {
  en: {
    question: 'Stop alerts by e-mail?',
    about: ({ address, channel, organization }) =>
      `${address} gets the alerts of the channel “${channel}” of ${organization}.`,
    consequence:
      'After that, nobody is told of outages at this address. Only the organization can add it again.',
    button: 'Stop these letters',
    ended: 'These letters have ended',
    endedBody: 'This address gets no more alerts from this channel. You can close this page.',
  },
  de: {
    question: 'Warnungen per E-Mail abbestellen?',
    about: ({ address, channel, organization }) =>
      `${address} erhält die Warnungen des Kanals „${channel}“ von ${organization}.`,
    consequence:
      'Danach erfährt unter dieser Adresse niemand mehr von Ausfällen. Nur die Organisation kann sie ' +
      'wieder hinzufügen.',
    button: 'Diese E-Mails abbestellen',
    ended: 'Diese E-Mails sind abbestellt',
    endedBody:
      'Diese Adresse erhält keine Warnungen dieses Kanals mehr. Sie können diese Seite schließen.',
  },
  fr: {
    question: 'Ne plus recevoir d’alertes par e-mail ?',
    about: ({ address, channel, organization }) =>
      `${address} reçoit les alertes du canal « ${channel} » de ${organization}.`,
    consequence:
      'Ensuite, plus personne ne sera averti des pannes à cette adresse. Seule l’organisation peut ' +
      'l’ajouter de nouveau.',
    button: 'Ne plus recevoir ces messages',
    ended: 'Ces messages ont pris fin',
    endedBody: 'Cette adresse ne reçoit plus d’alertes de ce canal. Vous pouvez fermer cette page.',
  },
  es: {
    question: '¿No recibir más alertas por correo?',
    about: ({ address, channel, organization }) =>
      `${address} recibe las alertas del canal «${channel}» de ${organization}.`,
    consequence:
      'Después, nadie recibirá avisos de fallos en esta dirección. Solo la organización puede ' +
      'añadirla de nuevo.',
    button: 'No recibir más estos correos',
    ended: 'Estos correos han terminado',
    endedBody: 'Esta dirección ya no recibe alertas de este canal. Puede cerrar esta página.',
  },
  it: {
    question: 'Non ricevere più avvisi per e-mail?',
    about: ({ address, channel, organization }) =>
      `${address} riceve gli avvisi del canale «${channel}» di ${organization}.`,
    consequence:
      'Dopo, nessuno sarà informato dei guasti a questo indirizzo. Solo l’organizzazione può ' +
      'aggiungerlo di nuovo.',
    button: 'Non ricevere più questi messaggi',
    ended: 'Questi messaggi sono terminati',
    endedBody: 'Questo indirizzo non riceve più avvisi da questo canale. Puoi chiudere la pagina.',
  },
  pt: {
    question: 'Deixar de receber alertas por e-mail?',
    about: ({ address, channel, organization }) =>
      `${address} recebe os alertas do canal «${channel}» de ${organization}.`,
    consequence:
      'Depois, ninguém será avisado de falhas neste endereço. Só a organização o pode adicionar ' +
      'de novo.',
    button: 'Deixar de receber estas mensagens',
    ended: 'Estas mensagens terminaram',
    endedBody: 'Este endereço já não recebe alertas deste canal. Pode fechar esta página.',
  },
  nl: {
    question: 'Geen meldingen per e-mail meer ontvangen?',
    about: ({ address, channel, organization }) =>
      `${address} ontvangt de meldingen van het kanaal “${channel}” van ${organization}.`,
    consequence:
      'Daarna hoort niemand op dit adres nog van storingen. Alleen de organisatie kan het weer ' +
      'toevoegen.',
    button: 'Deze berichten niet meer ontvangen',
    ended: 'Deze berichten zijn beëindigd',
    endedBody: 'Dit adres ontvangt geen meldingen meer van dit kanaal. U kunt deze pagina sluiten.',
  },
  pl: {
    question: 'Zrezygnować z alertów e-mail?',
    about: ({ address, channel, organization }) =>
      `${address} otrzymuje alerty kanału „${channel}” organizacji ${organization}.`,
    consequence:
      'Potem nikt pod tym adresem nie dowie się o awariach. Tylko organizacja może dodać go ponownie.',
    button: 'Nie wysyłaj mi więcej tych wiadomości',
    ended: 'Te wiadomości nie będą już wysyłane',
    endedBody: 'Ten adres nie otrzymuje już alertów z tego kanału. Możesz zamknąć tę stronę.',
  },
  ja: {
    question: 'メールでのアラートを停止しますか？',
    about: ({ address, channel, organization }) =>
      `${address} は ${organization} のチャネル「${channel}」のアラートを受け取っています。`,
    consequence:
      '停止すると、このアドレスには障害が通知されなくなります。再び追加できるのは組織だけです。',
    button: 'このメールの配信を停止する',
    ended: 'メールの配信を停止しました',
    endedBody: 'このアドレスにこのチャネルのアラートは届きません。このページは閉じて構いません。',
  },
  zh: {
    question: '停止通过邮件接收警报？',
    about: ({ address, channel, organization }) =>
      `${address} 正在接收 ${organization} 的渠道“${channel}”的警报。`,
    consequence: '停止后，此地址将不再收到中断通知。只有该组织可以重新添加此地址。',
    button: '不再接收此类邮件',
    ended: '已停止发送此类邮件',
    endedBody: '此地址不再收到此渠道的警报。您可以关闭此页面。',
  },
  tr: {
    question: 'E-posta uyarıları durdurulsun mu?',
    about: ({ address, channel, organization }) =>
      `${address} adresi “${channel}” kanalının uyarılarını alıyor. Kuruluş: ${organization}.`,
    consequence:
      'Bundan sonra bu adreste kimse kesintilerden haberdar edilmez. Adresi yalnızca kuruluş yeniden ' +
      'ekleyebilir.',
    button: 'Bu iletileri artık alma',
    ended: 'Bu iletiler sona erdi',
    endedBody: 'Bu adres bu kanaldan artık uyarı almıyor. Bu sayfayı kapatabilirsiniz.',
  },
  ar: {
    question: 'هل تريد إيقاف التنبيهات بالبريد الإلكتروني؟',
    about: ({ address, channel, organization }) =>
      `يتلقى العنوان ${address} تنبيهات القناة «${channel}» التابعة لـ ${organization}.`,
    consequence:
      'بعد ذلك لن يُبلَّغ أحد على هذا العنوان بحالات الانقطاع. يمكن للمؤسسة وحدها إضافته من جديد.',
    button: 'إيقاف هذه الرسائل',
    ended: 'تم إيقاف هذه الرسائل',
    endedBody: 'لن تصل إلى هذا العنوان تنبيهات من هذه القناة. يمكنك إغلاق هذه الصفحة.',
  },
}
