// A status page as its readers get it, without HTTP.
import { required } from '../../src/base/assert.ts'
import { pageResources } from '../../src/http/public/pages/page-resources.ts'
import type { PageAddress, PublicPages } from '../../src/services/pages/public-pages.ts'

export const noRequest = {
  params: {},
  path: '',
  queryText: '',
  host: '',
  requestId: '',
  body: Buffer.alloc(0),
  address: '',
  nowMs: 0,
  header: () => '',
}

/** Renders a page itself, for a reader without a language. */
export function renderPage(
  { render }: Pick<PublicPages, 'render'>,
  address: PageAddress,
  nowMs: number,
) {
  const wanted = required(pageResources[0].wanted(noRequest))
  return render(address, { ...wanted, language: null, root: '/status/acme' }, nowMs)
}
