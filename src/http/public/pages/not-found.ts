// The answer where there is no page, or no such document of it.
import { once } from '../../../base/per-object.ts'
import { defaultLocale } from '../../../domain/language.ts'
import { htmlType, notFoundPage, pageHeaders } from '../../../pages/frame.ts'
import { toText } from '../../../pages/html.ts'
import { type Language, languages } from '../../../texts/languages.ts'
import { readerLanguage } from '../../../texts/reader-language.ts'
import { type RawReply, type RawRequest, rawHead } from '../../routing/raw-route.ts'

/**
 * Unknown and disabled pages and unknown hosts get the same response, so that it does not reveal
 * which one it is.
 */
function notFoundIn(language: Language): RawReply {
  return {
    status: 404,
    head: rawHead([['Content-Type', htmlType], ...pageHeaders, ['Cache-Control', 'no-store']]),
    body: Buffer.from(toText(notFoundPage(language))),
  }
}

/** Made when they are first asked for: a start does not need the texts of all languages. */
const notFounds = new Map(
  languages.map((language) => [language, once(() => notFoundIn(language))] as const),
)
export const notFound = once(() => notFoundIn(defaultLocale.language))

/** In the language that the reader's browser asks for. */
export function notFoundFor(request: RawRequest): RawReply {
  const language = readerLanguage(request.header('accept-language'))
  return (language && notFounds.get(language)?.()) ?? notFound()
}
