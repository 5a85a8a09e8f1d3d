// Messages in English.
import type { Words } from './words.ts'

const days = (count: number) =>
  count === 0 ? 'less than a day' : `${count} day${count === 1 ? '' : 's'}`

const incidents = (count: number) => `${count} incident${count === 1 ? '' : 's'}`

export const en: Words = {
  isDown: (name) => `${name} is down`,
  isSlow: (name) => `${name} is slow`,
  wasDown: (name) => `${name} was down`,
  wasSlow: (name) => `${name} was slow`,
  reopened: (title) => `Reopened: ${title}`,
  resolved: (title) => `Resolved: ${title}`,
  closedByHand: (title) => `Closed by hand: ${title}`,
  acknowledged: (title) => `Acknowledged: ${title}`,
  reminder: (title) => `Reminder: ${title}`,
  updated: (title) => `Update: ${title}`,
  incidentsOpened: (count) => `${incidents(count)} opened`,
  incidentsResolved: (count) => `${incidents(count)} resolved`,
  certificateExpires: (name, left) => `The certificate of ${name} expires in ${days(left)}`,
  domainExpires: (domain, left) => `The domain ${domain} expires in ${days(left)}`,
  channelFails: (channel) => `Alerts cannot be delivered to ${channel}`,
  channelWorks: (channel) => `Alerts are delivered to ${channel} again`,
  test: (channel) => `Test of ${channel}`,
  labels: {
    cause: 'Cause',
    details: 'Details',
    monitors: 'Monitors',
    started: 'Started',
    reopened: 'Reopened',
    lasted: 'Lasted',
    lasting: 'Lasting',
    acknowledged: 'Acknowledged',
    resolved: 'Resolved',
    closed: 'Closed',
    update: 'Update',
    message: 'Message',
    note: 'Note',
    delayed: 'Delayed by',
    moreIncidents: 'More incidents',
    monitor: 'Monitor',
    validUntil: 'Valid until',
    issuer: 'Issuer',
    registrar: 'Registrar',
    channel: 'Channel',
    failingSince: 'Failing since',
    waiting: 'Messages waiting',
  },
  statuses: {
    investigating: 'Investigating',
    identified: 'Identified',
    monitoring: 'Monitoring',
    resolved: 'Resolved',
  },
  states: {
    open: 'open',
    acknowledged: 'acknowledged',
    resolved: 'resolved',
    stillFailing: 'closed by hand, still failing',
  },
  links: {
    incident: 'View incident',
    acknowledge: 'View and acknowledge',
    runbook: 'Run-book',
    target: 'Open the address',
  },
  letter: {
    why: (channel) => `You get this because the alert channel “${channel}” lists your address.`,
    openInstead: 'Or open this address',
    unsubscribe: 'Stop these letters',
  },
  more: (count) => `${count} more`,
  flapping: 'Unstable: the monitor keeps going down and up.',
  becameOutage: 'Became an outage.',
  stillFailing: 'The service is still failing. The incident reopens if that goes on.',
  testBody: 'This channel works. Alerts of your monitors arrive here.',
}
