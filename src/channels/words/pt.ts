// Messages in Portuguese.
import { pluralOf } from './plural.ts'
import type { Words } from './words.ts'

const someDays = pluralOf('pt', { one: '# dia', other: '# dias' })
const days = (count: number) => (count === 0 ? 'menos de um dia' : someDays(count))

export const pt: Words = {
  isDown: (name) => `${name} está fora do ar`,
  isSlow: (name) => `${name} responde lentamente`,
  wasDown: (name) => `${name} esteve fora do ar`,
  wasSlow: (name) => `${name} respondeu lentamente`,
  reopened: (title) => `Reaberto: ${title}`,
  resolved: (title) => `Resolvido: ${title}`,
  closedByHand: (title) => `Fechado manualmente: ${title}`,
  acknowledged: (title) => `Assumido: ${title}`,
  reminder: (title) => `Lembrete: ${title}`,
  updated: (title) => `Atualização: ${title}`,
  incidentsOpened: pluralOf('pt', { one: '# incidente aberto', other: '# incidentes abertos' }),
  incidentsResolved: pluralOf('pt', {
    one: '# incidente resolvido',
    other: '# incidentes resolvidos',
  }),
  certificateExpires: (name, left) => `O certificado de ${name} expira em ${days(left)}`,
  domainExpires: (domain, left) => `O domínio ${domain} expira em ${days(left)}`,
  channelFails: (channel) => `Não é possível entregar os alertas a ${channel}`,
  channelWorks: (channel) => `Os alertas são novamente entregues a ${channel}`,
  test: (channel) => `Teste de ${channel}`,
  labels: {
    cause: 'Causa',
    details: 'Detalhes',
    monitors: 'Monitores',
    started: 'Início',
    reopened: 'Reaberto',
    lasted: 'Duração',
    lasting: 'Duração até agora',
    acknowledged: 'Assumido',
    resolved: 'Resolvido',
    closed: 'Fechado',
    update: 'Atualização',
    message: 'Mensagem',
    note: 'Nota',
    delayed: 'Atraso do envio',
    moreIncidents: 'Outros incidentes',
    monitor: 'Monitor',
    validUntil: 'Válido até',
    issuer: 'Emissor',
    registrar: 'Agente de registo',
    channel: 'Canal',
    failingSince: 'Em falha desde',
    waiting: 'Mensagens em espera',
  },
  statuses: {
    investigating: 'Em investigação',
    identified: 'Causa identificada',
    monitoring: 'Em observação',
    resolved: 'Resolvido',
  },
  states: {
    open: 'aberto',
    acknowledged: 'assumido',
    resolved: 'resolvido',
    stillFailing: 'fechado manualmente, ainda em falha',
  },
  links: {
    incident: 'Ver o incidente',
    acknowledge: 'Ver e assumir',
    runbook: 'Guia de atuação',
    target: 'Abrir o endereço',
  },
  letter: {
    why: (channel) =>
      `Recebe esta mensagem porque o canal de alertas «${channel}» contém o seu endereço.`,
    openInstead: 'Ou abra este endereço',
    unsubscribe: 'Deixar de receber estas mensagens',
  },
  more: (count) => `mais ${count}`,
  flapping: 'Instável: o monitor falha e recupera repetidamente.',
  becameOutage: 'Tornou-se uma falha.',
  stillFailing: 'O serviço continua em falha. Se isso se mantiver, o incidente será reaberto.',
  testBody: 'Este canal funciona. Os alertas dos seus monitores chegam aqui.',
}
