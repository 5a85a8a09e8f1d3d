// How a public page is written: its words and its formats.

import { placesIn } from '../../domain/locations/shown-places.ts'
import type { Language } from '../../texts/languages.ts'
import { type AreaTexts, textsOf } from '../../texts/texts.ts'
import { type Html, html } from '../html.ts'
import { type HeadingAbove, markdown } from '../markdown.ts'
import { type PageFormats, pageFormats } from '../page-formats.ts'
import type { PublicIncident, PublicPage, PublicUpdate } from '../view/public-page.ts'

export interface PageText {
  readonly language: Language
  readonly words: AreaTexts<'status-page'>
  readonly formats: PageFormats
}

export function pageTextOf(
  { timezone }: Pick<PublicPage, 'timezone'>,
  language: Language,
): PageText {
  return {
    language,
    words: textsOf('status-page', language),
    formats: pageFormats(language, timezone),
  }
}

/** The title of an incident. One that the daemon made is in the language of the reader. */
export function incidentTitle(
  { title, titleKind, monitorNames: [name] }: PublicIncident,
  { incident }: AreaTexts<'status-page'>,
): string {
  return titleKind === null || name === undefined ? title : incident.titles[titleKind]({ name })
}

/** What an update says besides its label: what a person wrote, or the daemon in fixed words. */
export function updateMessage(
  { kind, message }: PublicUpdate,
  { incident }: AreaTexts<'status-page'>,
): string {
  return kind === 'unstable' ? incident.keepsChanging : message
}

/** An update without its label. */
export function updateBody(update: PublicUpdate, text: PageText, above: HeadingAbove): Html {
  const said = placesIn(text.language, update.places ?? [])
  const message = markdown(updateMessage(update, text.words), above)
  // Names are not Markdown.
  return html`${message}${said !== null && html`<p>${said}</p>`}`
}
