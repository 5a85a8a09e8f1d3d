// The router below a base path: pages see and name paths of the console, the browser shows them with the base.
import { type ComponentChildren, options } from 'preact'
import { LocationProvider, useLocation } from 'preact-iso/router'
import { basePath, inward, outward } from '../base/base-path.ts'

const paths = ['href', 'src', 'action']

/** Elements that name a path of ours lead to it. */
export function leadOutward(): void {
  if (basePath === '') return
  const before = options.vnode
  options.vnode = (node) => {
    if (typeof node.type === 'string') {
      const props = node.props as Record<string, unknown>
      for (const name of paths) {
        const value = props[name]
        if (typeof value === 'string') props[name] = outward(value)
      }
    }
    before?.(node)
  }
}

export function OwnLocation({ children }: { readonly children: ComponentChildren }) {
  return (
    <LocationProvider scope={outward('/app')}>
      <Inward>{children}</Inward>
    </LocationProvider>
  )
}

function Inward({ children }: { readonly children: ComponentChildren }) {
  const shown = useLocation()
  if (basePath === '') return children
  const own = {
    ...shown,
    url: inward(shown.url),
    path: inward(shown.path),
    route: (url: string, replace?: boolean) => shown.route(outward(url), replace),
  }
  return <LocationProvider.ctx.Provider value={own}>{children}</LocationProvider.ctx.Provider>
}
