// Letters to subscribers in French, Spanish, Italian and Portuguese.
import type { SubscriberWords } from './subscriber-words.ts'

export const fr: SubscriberWords = {
  news: {
    opened: 'Incident',
    updated: 'Mise à jour',
    resolved: 'Résolu',
    scheduled: 'Maintenance prévue',
    changed: 'Maintenance modifiée',
    cancelled: 'Maintenance annulée',
    begun: 'Maintenance commencée',
    ended: 'Maintenance terminée',
  },
  andMore: (title, more) => `${title} (et ${more} de plus)`,
  status: 'État',
  viewIncident: 'Voir l’incident',
  viewPage: 'Voir la page d’état',
  change: 'Modifier l’abonnement',
  openInstead: 'Ou ouvrez cette adresse',
  why: (page) => `Vous recevez ce message parce que vous êtes abonné à ${page}.`,
  confirm: {
    subject: (page) => `Confirmez votre abonnement à ${page}`,
    about: (page) =>
      `Quelqu’un, vous sans doute, souhaite être informé ici des incidents et de la maintenance de ${page}.`,
    button: 'Confirmer l’abonnement',
    footer:
      'Le lien est valable 24 heures. Si ce n’était pas vous, ne faites rien : rien d’autre ne viendra.',
  },
  already: {
    subject: (page) => `Votre abonnement à ${page}`,
    about: (page) =>
      `Quelqu’un, vous sans doute, a voulu s’abonner ici à ${page}. L’abonnement existe déjà.`,
  },
  allSections: 'Tous les services',
  noneForAll: 'Ne choisissez rien pour être informé de tous les services.',
  save: 'Enregistrer',
  saved: 'Enregistré.',
  secret: 'Les messages sont signés avec ce secret (Standard Webhooks)',
  checkMessage: 'Ouvrez le lien dans le message que nous venons d’y envoyer.',
  goTo: 'Vers la page d’état',
}

export const es: SubscriberWords = {
  news: {
    opened: 'Incidente',
    updated: 'Novedad',
    resolved: 'Resuelto',
    scheduled: 'Mantenimiento previsto',
    changed: 'Mantenimiento modificado',
    cancelled: 'Mantenimiento cancelado',
    begun: 'Mantenimiento iniciado',
    ended: 'Mantenimiento terminado',
  },
  andMore: (title, more) => `${title} (y ${more} más)`,
  status: 'Estado',
  viewIncident: 'Ver el incidente',
  viewPage: 'Ver la página de estado',
  change: 'Cambiar la suscripción',
  openInstead: 'O abra esta dirección',
  why: (page) => `Recibe este mensaje porque está suscrito a ${page}.`,
  confirm: {
    subject: (page) => `Confirme su suscripción a ${page}`,
    about: (page) =>
      `Alguien, seguramente usted, quiere recibir aquí avisos de incidentes y mantenimiento de ${page}.`,
    button: 'Confirmar la suscripción',
    footer: 'El enlace vale 24 horas. Si no fue usted, no haga nada: no llegará nada más.',
  },
  already: {
    subject: (page) => `Su suscripción a ${page}`,
    about: (page) =>
      `Alguien, seguramente usted, quiso suscribirse aquí a ${page}. La suscripción ya existe.`,
  },
  allSections: 'Todos los servicios',
  noneForAll: 'No elija ninguno para recibir avisos de todos los servicios.',
  save: 'Guardar',
  saved: 'Guardado.',
  secret: 'Los mensajes están firmados con este secreto (Standard Webhooks)',
  checkMessage: 'Abra el enlace del mensaje que acabamos de enviar allí.',
  goTo: 'A la página de estado',
}

export const it: SubscriberWords = {
  news: {
    opened: 'Incidente',
    updated: 'Aggiornamento',
    resolved: 'Risolto',
    scheduled: 'Manutenzione pianificata',
    changed: 'Manutenzione modificata',
    cancelled: 'Manutenzione annullata',
    begun: 'Manutenzione iniziata',
    ended: 'Manutenzione conclusa',
  },
  andMore: (title, more) => `${title} (e altri ${more})`,
  status: 'Stato',
  viewIncident: 'Vedi l’incidente',
  viewPage: 'Vedi la pagina di stato',
  change: 'Modifica l’iscrizione',
  openInstead: 'Oppure apri questo indirizzo',
  why: (page) => `Ricevi questo messaggio perché segui ${page}.`,
  confirm: {
    subject: (page) => `Conferma l’iscrizione a ${page}`,
    about: (page) =>
      `Qualcuno, probabilmente tu, vuole ricevere qui notizie su incidenti e manutenzione di ${page}.`,
    button: 'Conferma l’iscrizione',
    footer: 'Il link vale 24 ore. Se non sei stato tu, non fare nulla: non arriverà altro.',
  },
  already: {
    subject: (page) => `La tua iscrizione a ${page}`,
    about: (page) =>
      `Qualcuno, probabilmente tu, ha chiesto di iscriversi qui a ${page}. L’iscrizione esiste già.`,
  },
  allSections: 'Tutti i servizi',
  noneForAll: 'Non scegliere nulla per ricevere notizie su tutti i servizi.',
  save: 'Salva',
  saved: 'Salvato.',
  secret: 'I messaggi sono firmati con questo segreto (Standard Webhooks)',
  checkMessage: 'Apri il link nel messaggio che abbiamo appena inviato lì.',
  goTo: 'Alla pagina di stato',
}

export const pt: SubscriberWords = {
  news: {
    opened: 'Incidente',
    updated: 'Atualização',
    resolved: 'Resolvido',
    scheduled: 'Manutenção planeada',
    changed: 'Manutenção alterada',
    cancelled: 'Manutenção cancelada',
    begun: 'Manutenção iniciada',
    ended: 'Manutenção concluída',
  },
  andMore: (title, more) => `${title} (e mais ${more})`,
  status: 'Estado',
  viewIncident: 'Ver o incidente',
  viewPage: 'Ver a página de estado',
  change: 'Alterar a subscrição',
  openInstead: 'Ou abra este endereço',
  why: (page) => `Recebe esta mensagem porque subscreveu ${page}.`,
  confirm: {
    subject: (page) => `Confirme a sua subscrição de ${page}`,
    about: (page) =>
      `Alguém, provavelmente você, quer receber aqui avisos de incidentes e manutenção de ${page}.`,
    button: 'Confirmar a subscrição',
    footer: 'A ligação vale 24 horas. Se não foi você, não faça nada: não chegará mais nada.',
  },
  already: {
    subject: (page) => `A sua subscrição de ${page}`,
    about: (page) =>
      `Alguém, provavelmente você, quis subscrever ${page} aqui. A subscrição já existe.`,
  },
  allSections: 'Todos os serviços',
  noneForAll: 'Não escolha nenhum para receber avisos de todos os serviços.',
  save: 'Guardar',
  saved: 'Guardado.',
  secret: 'As mensagens são assinadas com este segredo (Standard Webhooks)',
  checkMessage: 'Abra a ligação na mensagem que acabámos de enviar para lá.',
  goTo: 'Para a página de estado',
}
