// Tabs whose choice is in the address, so that a link leads to one.
import type { ComponentChildren } from 'preact'
import { useLayoutEffect, useRef } from 'preact/hooks'
import { useLocation } from 'preact-iso/router'

export interface Tab {
  readonly name: string
  readonly title: string
  readonly content: () => ComponentChildren
}

export function Tabs({ tabs, label }: { readonly tabs: readonly Tab[]; readonly label: string }) {
  const { path, query } = useLocation()
  const shown = tabs.find(({ name }) => name === query.tab) ?? tabs[0]
  const list = useRef<HTMLElement>(null)
  // Where they do not all fit, the chosen one is in view.
  useLayoutEffect(() => {
    const chosen = list.current?.querySelector('[aria-current]')
    chosen?.scrollIntoView({ block: 'nearest', inline: 'center' })
  }, [shown?.name])
  return (
    <>
      <nav ref={list} class="tabs" aria-label={label}>
        {tabs.map(({ name, title }) => (
          <a
            key={name}
            href={`${path}?tab=${name}`}
            aria-current={name === shown?.name ? 'page' : undefined}
          >
            {title}
          </a>
        ))}
      </nav>
      <div key={shown?.name} class="page-part">
        {shown?.content()}
      </div>
    </>
  )
}
