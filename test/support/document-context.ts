// What a document of a status page is made from, without a store.
import type { DocumentContext, PublicPage } from '../../src/pages/view/public-page.ts'

export function documentContext(
  view: PublicPage,
  context: Partial<Omit<DocumentContext, 'view'>> = {},
): DocumentContext {
  return {
    view,
    figures: {
      maintenance: () => view.maintenance,
      uptime: () => 0.9995,
      responseTimeMs: () => 123,
    },
    reader: { incident: () => null, picture: () => null, year: () => null, month: () => null },
    language: 'en',
    root: '/status/acme',
    ...context,
  }
}
