// The front page of Gatus becomes a status page that is not published yet.
import t from 'tap'
import { parse } from 'yaml'
import { fromGatus } from '../../../../src/domain/imports/gatus/gatus.ts'

const endpoints = `
endpoints:
  - {name: z, group: Web, url: "https://a.test/", conditions: ["[STATUS] == 200"]}
  - {name: y, url: "https://b.test/", conditions: ["[STATUS] == 200"]}
  - {name: x, group: Core, url: "https://c.test/", conditions: ["[STATUS] == 200"]}
external-endpoints:
  - {name: w, group: Web, token: t, heartbeat: {interval: 1h}}
`

t.test(
  'it has the groups in their order, the words, the links and what is announced',
  async (t) => {
    const { statusPages, monitors, notes } = fromGatus(
      parse(`${endpoints}
ui:
  header: Acme
  dashboard-heading: Services of Acme
  dashboard-subheading: All that we run
  logo: https://acme.example/logo.svg
  link: https://acme.example
  buttons: [{name: Docs, link: "https://acme.example/docs"}, {name: Bad, link: "/docs"}]
  dark-mode: false
  custom-css: ".a {}"
announcements:
  - {timestamp: 2026-01-01T00:00:00Z, type: outage, message: "Old"}
  - {timestamp: 2026-02-01T00:00:00Z, message: "New"}
  - {timestamp: 2025-01-01T00:00:00Z, message: "Gone", archived: true}`),
    )
    const [z, y, x, w] = monitors.map(({ id }) => id)
    t.same(statusPages, [
      {
        name: 'Acme',
        origin: 'page/front',
        isEnabled: false,
        title: 'Services of Acme',
        description: 'All that we run',
        logoUrl: 'https://acme.example/logo.svg',
        headLinks: [
          { label: 'Acme', url: 'https://acme.example' },
          { label: 'Docs', url: 'https://acme.example/docs' },
        ],
        theme: { mode: 'light' },
        announcement: '**2026-02-01T00:00:00Z**: New\n\n**2026-01-01T00:00:00Z** (outage): Old',
        publicMonitorIds: [z, y, x, w],
        sections: [
          { name: 'Core', monitorIds: [x] },
          { name: 'Web', monitorIds: [z, w] },
        ],
      },
    ])
    t.ok(monitors.every(({ isPublic }) => isPublic === true))
    t.same(
      notes.filter(({ name }) => name === null).map(({ text }) => text),
      [
        'the look of its page: custom-css',
        'the links of its page: 2 of 3 became links at its head',
        'its archived announcements',
      ],
    )
  },
)

t.test(
  'what asks for a sign-in there becomes no page here, and its monitors stay private',
  async (t) => {
    const { statusPages, monitors, notes } = fromGatus(
      parse(
        `${endpoints}\nui: {title: T}\nsecurity: {basic: {username: u, password-bcrypt-base64: p}}`,
      ),
    )
    t.same(statusPages, [])
    t.ok(monitors.every(({ isPublic }) => isPublic === undefined))
    t.match(
      notes.map(({ text }) => text).join('\n'),
      /security: its sign-in.*\n.*it asks for a sign-in/,
    )
  },
)
