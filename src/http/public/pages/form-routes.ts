// The routes of forms below status pages: what is shown, and what becomes of a submission.
import { languageFor } from '../../../domain/language.ts'
import { limits } from '../../../domain/limits/limits.ts'
import type { Services } from '../../../services/assembly/services.ts'
import type { Caller } from '../../../services/context.ts'
import { readerLanguage } from '../../../texts/reader-language.ts'
import { formFields } from '../../input/form-body.ts'
import type { RawReply, RawRequest, RawRoute } from '../../routing/raw-route.ts'
import type { MaybePromise } from '../../routing/route.ts'
import { notFoundFor } from './not-found.ts'
import type { PageDoors } from './page-doors.ts'
import type { PageForm, PageVisit } from './page-form.ts'

interface FormDoors extends PageDoors {
  /** The service's own origin, for browsers that send none. */
  readonly baseUrl: string
}

const visitHeaders = ['accept-language', 'cookie', 'origin', 'user-agent']

function visitOf(
  { isOpen, from }: PageForm,
  { placeOf, isOpenTo, wayIn, baseUrl }: FormDoors,
  request: RawRequest,
  services: Services,
): PageVisit | RawReply {
  const { publicPages } = services
  const place = placeOf(request)
  const page = place && publicPages.find(place.address)
  if (!page) return notFoundFor(request)
  const isFree = isOpen || from === 'anywhere' || isOpenTo(page, request, services)
  if (!isFree) return wayIn(page, request, services)
  const origin = request.header('origin') || baseUrl
  const wanted = readerLanguage(request.header('accept-language'))
  return {
    page,
    root: place.root,
    language: publicPages.languageOf(page, wanted),
    params: request.params,
    queryText: request.queryText,
    caller: callerOf(request),
    isSecure: origin.startsWith('https:'),
    nowMs: request.nowMs,
  }
}

/** The routes of one form, at both places of a page. */
export function formRoutes(form: PageForm, doors: FormDoors): readonly RawRoute[] {
  const { name, path, from = 'form', ask, submit } = form
  const headers = visitHeaders
  function routesAt(routePath: string, end: string): RawRoute[] {
    const posted: RawRoute = {
      name: `${name}.submit${end}`,
      method: 'POST',
      path: routePath,
      rate: form.rate ?? 'auth',
      from,
      headers,
      ...(form.creates ? { creates: true } : {}),
      handle(request, services) {
        const visit = visitOf(form, doors, request, services)
        if ('status' in visit) return visit
        const fields = from === 'form' ? formFields(request.body) : {}
        return submit({ ...visit, fields }, services)
      },
    }
    if (!ask) return [posted]
    function handle(request: RawRequest, services: Services): MaybePromise<RawReply> {
      const visit = visitOf(form, doors, request, services)
      return 'status' in visit ? visit : (ask?.(visit, services) ?? notFoundFor(request))
    }
    return [{ name: `${name}${end}`, path: routePath, rate: 'page', headers, handle }, posted]
  }
  return [...routesAt(`/status/:slug${path}`, ''), ...routesAt(path, '.host')]
}

function callerOf(request: RawRequest): Caller {
  return {
    principal: { kind: 'anonymous' },
    requestId: request.requestId,
    address: request.address,
    userAgent: request.header('user-agent').slice(0, limits.userAgentCharsMax),
    language: languageFor(request.header('accept-language')),
  }
}
