// A daemon with a status page whose readers subscribe by its form, and an inbox for the letters.
import type { Test } from 'tap'
import { registerWithKey } from './cast.ts'
import { startDaemon } from './daemon.ts'
import { linkIn } from './read-mail.ts'
import { startSmtpInbox } from './smtp-inbox.ts'

export const ann = 'ann@reader.test'
export const bob = 'bob@reader.test'

/** A page with two sections; its daemon sends letters to an inbox. */
export async function openReaderWorld(t: Test, more: Readonly<Record<string, string>> = {}) {
  const inbox = await startSmtpInbox(t)
  const env = { MAIL_SMTP_URL: inbox.url, MAIL_FROM: 'stillup <up@up.test>', ...more }
  const daemon = await startDaemon(t, { env })
  const { org, key } = await registerWithKey(daemon)
  const add = (name: string) => {
    const json = { name, checkType: 'push', isPublic: true }
    return daemon.need('POST', `${org}/monitors`, { key, json })
  }
  const [shop, mail] = [await add('Shop'), await add('Mail')]
  const sections = [
    { name: 'Sales', monitorIds: [shop.id] },
    { name: 'Office', monitorIds: [mail.id] },
  ]
  const json = { name: 'Acme', slug: 'acme', sections }
  const page = await daemon.need('POST', `${org}/status-pages`, { key, json })
  const at = `${org}/status-pages/${page.id}`

  function submit(path: string, fields: Readonly<Record<string, string>>) {
    const headers = { 'content-type': 'application/x-www-form-urlencoded', origin: daemon.url }
    return daemon.ask('POST', path, { body: String(new URLSearchParams(fields)), headers })
  }
  const subscribe = (fields: Readonly<Record<string, string>>) =>
    submit('/status/acme/subscribe', fields)

  /** Subscribes an address by the form and its letter; returns the path of the subscription. */
  async function enlist(address: string, sections: Readonly<Record<string, string>> = {}) {
    await subscribe({ kind: 'email', address })
    const path = pathOf(linkIn(await inbox.mailTo(address)))
    await submit(path, sections)
    return path
  }

  const declare = (more: object) =>
    daemon.need('POST', `${org}/incidents`, {
      key,
      json: { title: 'Payments fail', message: 'We are looking.', isPublic: true, ...more },
    })
  const counts = async () => (await daemon.need('GET', at, { key })).subscribers
  return { daemon, inbox, org, key, at, shop, mail, submit, subscribe, enlist, declare, counts }
}

export const pathOf = (link: string) => new URL(link).pathname
