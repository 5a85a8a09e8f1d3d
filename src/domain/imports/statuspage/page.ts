// What a page of Statuspage says of itself, as fields of ours.
import { clip } from '../../../base/clip.ts'
import { limits } from '../../limits/limits.ts'
import { type ForeignFields, type Note, textOf } from '../foreign.ts'
import { headLinksOf, noteDomain, pageTimezoneOf } from '../foreign-page.ts'

/** Colours and pictures that pages have of their own. */
const looks = [
  ...['css_body_background_color', 'css_font_color', 'css_light_font_color', 'css_greens'],
  ...['css_yellows', 'css_oranges', 'css_blues', 'css_reds', 'css_border_color'],
  ...['css_graph_color', 'css_no_data', 'hero_cover', 'transactional_logo', 'favicon_logo'],
  ...['email_logo', 'twitter_logo'],
]

export function pageFieldsOf(page: ForeignFields, note: Note): ForeignFields {
  const has = (name: string) => textOf(page[name]) !== ''
  const headline = clip(textOf(page.headline), limits.titleCharsMax)
  const description = clip(textOf(page.page_description), limits.descriptionCharsMax)
  tellPlace(page, note)
  if (looks.some(isLook(page)))
    note('its pictures and colours: choose a look, and upload the pictures')
  if (has('ip_restrictions')) note('that only some networks see it: give the page a password')
  if (has('twitter_username')) note('its account at Twitter')
  if (has('notifications_from_email') || has('notifications_email_footer')) {
    note('the sender and the last lines of its letters: they are those of this service')
  }
  if (page.allow_incident_subscribers === true) {
    note('subscriptions to a single incident: here they are to the page, or to its sections')
  }
  if (page.allow_rss_atom_feeds === false) note('that it has no feeds: pages here have them')
  return {
    ...(headline === '' ? {} : { title: headline }),
    ...(description === '' ? {} : { description }),
    ...headLinksOf(
      [
        ['Website', page.url],
        ['Support', page.support_url],
      ],
      note,
    ),
    ...accentOf(page),
    ...pageTimezoneOf(textOf(page.time_zone), note),
    noindex: page.hidden_from_search === true,
    ...(page.viewers_must_be_team_members === true ? { visibility: 'members' } : {}),
    ...subscribingOf(page),
  }
}

/** Where it is now, and what leads there. */
function tellPlace({ domain, subdomain }: ForeignFields, note: Note): void {
  note('this page is not enabled yet')
  const own = textOf(domain)
  noteDomain(own, note)
  if (own === '' && textOf(subdomain) !== '') {
    note(`its address ${clip(textOf(subdomain), 100)}.statuspage.io: tell readers the new one`)
  }
}

/** A picture is an address, or an object with one, which is empty where there is none. */
function isLook(page: ForeignFields) {
  return (name: string): boolean => {
    const value = page[name]
    const texts = typeof value === 'object' && value !== null ? Object.values(value) : [value]
    return texts.some((one) => textOf(one) !== '')
  }
}

function accentOf({ css_link_color }: ForeignFields): ForeignFields {
  const color = textOf(css_link_color)
  const accent = color.startsWith('#') ? color : `#${color}`
  return /^#[0-9a-f]{6}$/i.test(accent) ? { theme: { accent: accent.toLowerCase() } } : {}
}

/** Readers subscribe in one way or another, or not at all. */
function subscribingOf(page: ForeignFields): ForeignFields {
  const ways = ['allow_email_subscribers', 'allow_webhook_subscribers', 'allow_sms_subscribers']
  const isShut = page.allow_page_subscribers === false || ways.every((way) => page[way] === false)
  return isShut ? { allowsSubscribers: false } : {}
}
