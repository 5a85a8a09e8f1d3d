// A menu: a button, and above the page what else can be done. The arrow keys move through it, Escape
// closes it, and the focus returns to its button.
import { useSignal } from '@preact/signals'
import { Check, type IconNode } from 'lucide'
import { type ComponentChildren, Fragment } from 'preact'
import { useEffect, useId, useLayoutEffect, useRef } from 'preact/hooks'
import { Icon } from '../text/icon.tsx'

interface MenuEntry {
  readonly text: string
  /** What tells it from others; by default its text does. */
  readonly id?: string
  /** Behind the text, such as a time. */
  readonly aside?: ComponentChildren
  readonly isDanger?: boolean
  readonly icon?: IconNode
  /** It is the one of several that holds now. */
  readonly isChosen?: boolean
  /** It can be on or off, whatever the others are; the menu stays open. */
  readonly isOn?: boolean
  /** Above it: what it and the following ones are about. */
  readonly heading?: string
  /** The key that does the same. */
  readonly shortcut?: string
}

/** An action, or a link to where it is done. */
type MenuItem = MenuEntry &
  (
    | { readonly onSelect: () => void; readonly href?: undefined }
    | { readonly href: string; readonly onSelect?: undefined }
  )

export interface MenuProps {
  readonly items: readonly MenuItem[]
  /** On the button. */
  readonly children?: ComponentChildren
  /** For a button without words. */
  readonly label?: string
  readonly onOpen?: () => void
}

export function Menu({ items, children, label, onOpen }: MenuProps) {
  const isOpen = useSignal(false)
  const button = useRef<HTMLButtonElement>(null)
  const id = useId()
  function close(): void {
    isOpen.value = false
  }
  useEffect(() => {
    if (isOpen.value) onOpen?.()
  }, [isOpen.value])
  return (
    <>
      <button
        ref={button}
        type="button"
        class="menu-opener"
        aria-label={label}
        aria-haspopup="menu"
        aria-expanded={isOpen.value}
        aria-controls={isOpen.value ? id : undefined}
        onClick={() => (isOpen.value = !isOpen.value)}
        onKeyDown={(event) => {
          if (event.key !== 'ArrowDown' && event.key !== 'ArrowUp') return
          event.preventDefault()
          isOpen.value = true
        }}
      >
        {children}
      </button>
      {isOpen.value && (
        <OpenMenu id={id} items={items} opener={() => button.current} onClose={close} />
      )}
    </>
  )
}

interface OpenMenuProps {
  readonly id: string
  readonly items: readonly MenuItem[]
  readonly opener: () => HTMLElement | null
  readonly onClose: () => void
}

function OpenMenu({ id, items, opener, onClose }: OpenMenuProps) {
  const list = useRef<HTMLDivElement>(null)
  useLayoutEffect(() => {
    const [menu, button] = [list.current, opener()]
    if (!menu || !button) return
    menu.showPopover()
    const placeAgain = () => place(menu, button)
    placeAgain()
    entriesIn(menu)[0]?.focus()
    const leave = ({ target }: Event) => {
      if (!(target instanceof Node) || menu.contains(target) || button.contains(target)) return
      onClose()
    }
    document.addEventListener('pointerdown', leave)
    window.addEventListener('resize', placeAgain)
    window.addEventListener('scroll', placeAgain, { passive: true })
    return () => {
      document.removeEventListener('pointerdown', leave)
      window.removeEventListener('resize', placeAgain)
      window.removeEventListener('scroll', placeAgain)
    }
  }, [])
  function leaveTo(select?: () => void): void {
    // What is chosen may open a dialog, which returns the focus to where it was.
    opener()?.focus()
    onClose()
    select?.()
  }
  return (
    <div
      ref={list}
      id={id}
      class="menu-list"
      popover="manual"
      role="menu"
      tabIndex={-1}
      onKeyDown={(event) => {
        if (event.ctrlKey || event.metaKey || event.altKey) return
        // Letters are keys of the page elsewhere.
        event.stopPropagation()
        if (event.key === 'Escape') {
          event.preventDefault()
          leaveTo()
        } else if (event.key === 'Tab') leaveTo()
        else move(event, event.currentTarget)
      }}
    >
      {items.map((item) => {
        const { text, href, onSelect, isDanger, icon, isChosen, isOn, heading, shortcut } = item
        const { id = text, aside } = item
        const shared = {
          role: isOn === undefined ? 'menuitem' : 'menuitemcheckbox',
          'aria-checked': isOn,
          'aria-current': isChosen || undefined,
          'aria-description': heading,
          tabIndex: -1,
          class: isDanger ? 'menu-item danger' : 'menu-item',
          'aria-keyshortcuts': shortcut,
        } as const
        const content = (
          <>
            {icon && <Icon of={icon} />}
            {text}
            {aside !== undefined && <small class="menu-aside">{aside}</small>}
            {(isChosen || isOn) && <Icon of={Check} />}
          </>
        )
        const select = isOn === undefined ? () => leaveTo(onSelect) : onSelect
        return (
          <Fragment key={id}>
            {heading !== undefined && (
              <p class="menu-heading" aria-hidden="true">
                {heading}
              </p>
            )}
            {href === undefined ? (
              <button {...shared} type="button" onClick={select}>
                {content}
              </button>
            ) : (
              <a {...shared} href={href} onClick={onClose}>
                {content}
              </a>
            )}
          </Fragment>
        )
      })}
    </div>
  )
}

const entriesIn = (menu: Element) => [...menu.querySelectorAll<HTMLElement>('[role^=menuitem]')]

/** To the next one, the one before, an end, or the next one that begins with the letter. */
function move(event: KeyboardEvent, menu: Element): void {
  const entries = entriesIn(menu)
  const at = entries.findIndex((one) => one.matches(':focus'))
  const places: Readonly<Record<string, number>> = {
    ArrowDown: at + 1,
    ArrowUp: at < 0 ? entries.length - 1 : at - 1 + entries.length,
    Home: 0,
    End: entries.length - 1,
  }
  const begins = (one: HTMLElement) =>
    one.innerText.toLowerCase().startsWith(event.key.toLowerCase())
  const following = [...entries.slice(at + 1), ...entries.slice(0, at + 1)]
  const place = places[event.key]
  const next = place === undefined ? following.find(begins) : entries[place % entries.length]
  if (next === undefined) return
  event.preventDefault()
  next.focus()
}

/** Between the menu and its button, and the edge of the window. */
const gapPx = 4
const edgePx = 8

/** Below the button where there is room, else above it, and never beyond the window. */
function place(menu: HTMLElement, button: HTMLElement): void {
  const box = button.getBoundingClientRect()
  menu.style.maxHeight = 'none'
  const { offsetWidth: width, scrollHeight: height } = menu
  const below = window.innerHeight - box.bottom - gapPx - edgePx
  const above = box.top - gapPx - edgePx
  const isBelow = height <= below || below >= above
  const shown = Math.min(height + 2, Math.max(0, isBelow ? below : above))
  const isRightToLeft = getComputedStyle(button).direction === 'rtl'
  const wished = isRightToLeft ? box.left : box.right - width
  const left = Math.max(
    edgePx,
    Math.min(wished, document.documentElement.clientWidth - width - edgePx),
  )
  menu.style.left = `${left}px`
  menu.style.top = `${isBelow ? box.bottom + gapPx : box.top - gapPx - shown}px`
  menu.style.maxHeight = `${shown}px`
}
