// Adds a channel: first its type, out of a gallery, then what the type needs.
import { useSignal } from '@preact/signals'
import { useLocation, useRoute } from 'preact-iso'
import { Page } from '../../parts/page.tsx'
import { words } from '../../words/words.ts'
import { ChannelForm } from './channel-form.tsx'
import { channelType, channelTypes } from './channel-types.ts'

export function NewChannelPage() {
  const { type } = useRoute().query
  const info = type === undefined ? undefined : channelType(type)
  const texts = words.value.channels
  const parent = { href: '/app/channels', title: texts.title }
  return info ? (
    <Page title={texts.newOf(info.title)} parent={{ href: '/app/channels/new', title: texts.add }}>
      <ChannelForm key={info.type} info={info} stored={undefined} />
    </Page>
  ) : (
    <Page title={texts.add} parent={parent}>
      <Gallery />
    </Page>
  )
}

function Gallery() {
  const { route } = useLocation()
  const wanted = useSignal('')
  const texts = words.value.channels
  const text = wanted.value.trim().toLowerCase()
  const fitting = channelTypes
    .filter(({ title, type }) => `${title} ${type}`.toLowerCase().includes(text))
    .toSorted((a, b) => a.title.localeCompare(b.title))
  return (
    <>
      <input
        type="search"
        aria-label={texts.searchTypes}
        placeholder={texts.searchTypes}
        value={wanted.value}
        onInput={({ currentTarget: { value } }) => {
          wanted.value = value
        }}
        onKeyDown={({ key }) => {
          const [only] = fitting
          if (key === 'Enter' && only) route(`/app/channels/new?type=${only.type}`)
        }}
      />
      <ul class="gallery">
        {fitting.map(({ type, title }) => (
          <li key={type}>
            <a class="card" href={`/app/channels/new?type=${type}`}>
              <span class="letters" aria-hidden="true">
                {title.slice(0, 2)}
              </span>
              {title}
            </a>
          </li>
        ))}
      </ul>
    </>
  )
}
