// Messages in Spanish.
import { pluralOf } from './plural.ts'
import type { Words } from './words.ts'

const someDays = pluralOf('es', { one: '# día', other: '# días' })
const days = (count: number) => (count === 0 ? 'menos de un día' : someDays(count))

export const es: Words = {
  isDown: (name) => `${name} no funciona`,
  isSlow: (name) => `${name} responde con lentitud`,
  wasDown: (name) => `${name} no funcionaba`,
  wasSlow: (name) => `${name} respondía con lentitud`,
  reopened: (title) => `Reabierto: ${title}`,
  resolved: (title) => `Resuelto: ${title}`,
  closedByHand: (title) => `Cerrado a mano: ${title}`,
  acknowledged: (title) => `Confirmado: ${title}`,
  reminder: (title) => `Recordatorio: ${title}`,
  updated: (title) => `Novedad: ${title}`,
  incidentsOpened: pluralOf('es', { one: '# incidente abierto', other: '# incidentes abiertos' }),
  incidentsResolved: pluralOf('es', {
    one: '# incidente resuelto',
    other: '# incidentes resueltos',
  }),
  certificateExpires: (name, left) => `El certificado de ${name} caduca en ${days(left)}`,
  domainExpires: (domain, left) => `El dominio ${domain} caduca en ${days(left)}`,
  channelFails: (channel) => `No se pueden entregar las alertas a ${channel}`,
  channelWorks: (channel) => `Las alertas se entregan de nuevo a ${channel}`,
  test: (channel) => `Prueba de ${channel}`,
  labels: {
    cause: 'Causa',
    details: 'Detalles',
    monitors: 'Monitores',
    started: 'Inicio',
    reopened: 'Reabierto',
    lasted: 'Duración',
    lasting: 'Duración hasta ahora',
    acknowledged: 'Confirmado',
    resolved: 'Resuelto',
    closed: 'Cerrado',
    update: 'Novedad',
    message: 'Mensaje',
    note: 'Nota',
    delayed: 'Retraso del envío',
    moreIncidents: 'Otros incidentes',
    monitor: 'Monitor',
    validUntil: 'Válido hasta',
    issuer: 'Emisor',
    registrar: 'Registrador',
    channel: 'Canal',
    failingSince: 'Falla desde',
    waiting: 'Mensajes en espera',
  },
  statuses: {
    investigating: 'En investigación',
    identified: 'Causa identificada',
    monitoring: 'En observación',
    resolved: 'Resuelto',
  },
  states: {
    open: 'abierto',
    acknowledged: 'confirmado',
    resolved: 'resuelto',
    stillFailing: 'cerrado a mano, sigue fallando',
  },
  links: {
    incident: 'Ver el incidente',
    acknowledge: 'Ver y confirmar',
    runbook: 'Guía de actuación',
    target: 'Abrir la dirección',
  },
  letter: {
    why: (channel) =>
      `Recibe este correo porque el canal de alertas «${channel}» contiene su dirección.`,
    openInstead: 'O abra esta dirección',
    unsubscribe: 'No recibir más estos correos',
  },
  more: (count) => `${count} más`,
  flapping: 'Inestable: el monitor falla y se recupera una y otra vez.',
  becameOutage: 'Se convirtió en una caída.',
  stillFailing: 'El servicio sigue fallando. Si continúa así, el incidente se reabrirá.',
  testBody: 'Este canal funciona. Las alertas de sus monitores llegan aquí.',
}
