// Adds a channel: first its type, out of a gallery, then what the type needs.
import { useSignal } from '@preact/signals'
import { useLocation, useRoute } from 'preact-iso/router'
import { useData } from '../../api/resource.ts'
import { Loaded } from '../../parts/page/loaded.tsx'
import { Page } from '../../parts/page/page.tsx'
import { MissingSettings } from '../../parts/text/missing-settings.tsx'
import { orgId } from '../../stores/session.ts'
import { listed, words } from '../../words/words.ts'
import { ChannelForm } from './channel-form.tsx'
import { ChannelIcon } from './channel-icon.tsx'
import {
  channelType,
  mayBringServer,
  needsOf,
  type TypeChoice,
  typeChoices,
} from './channel-types.ts'

export function NewChannelPage() {
  const { type } = useRoute().query
  const info = type === undefined ? undefined : channelType(type)
  const texts = words.value.channels
  const states = useData('alert-channels.types', { path: { orgId: orgId() } })
  const missing = states.value.value?.find((one) => one.type === type)?.missingSettings ?? []
  const parent = { href: '/app/channels', title: texts.title }
  return info ? (
    <Page
      title={texts.newOf({ title: info.title })}
      parents={[parent, { href: '/app/channels/new', title: texts.add }]}
    >
      {missing.length > 0 && (
        <p class="note is-degraded">
          <MissingSettings text={texts.needsSettings({ names: listed(missing) })} />
          {mayBringServer(info) && ` ${texts.orOwnServer}`}
        </p>
      )}
      <ChannelForm key={info.type} info={info} stored={undefined} />
    </Page>
  ) : (
    <Page title={texts.add} parents={[parent]}>
      <Loaded of={states}>{(all) => <Gallery choices={typeChoices(all)} />}</Loaded>
    </Page>
  )
}

function Gallery({ choices }: { readonly choices: readonly TypeChoice[] }) {
  const { route } = useLocation()
  const wanted = useSignal('')
  const texts = words.value.channels
  const text = wanted.value.trim().toLowerCase()
  const fitting = choices.filter(({ info: { title, type } }) =>
    `${title} ${type}`.toLowerCase().includes(text),
  )
  return (
    <>
      <input
        type="search"
        aria-label={texts.searchTypes}
        placeholder={texts.searchTypes}
        value={wanted.value}
        onInput={({ currentTarget: { value } }) => (wanted.value = value)}
        onKeyDown={({ key }) => {
          const [only] = fitting
          if (key !== 'Enter' || !only) return
          route(`/app/channels/new?type=${only.info.type}`)
        }}
      />
      <ul class="gallery">
        {fitting.map((choice) => (
          <li
            key={choice.info.type}
            class={choice.missingSettings.length > 0 ? 'is-missing' : undefined}
          >
            <a class="card" href={`/app/channels/new?type=${choice.info.type}`}>
              <ChannelIcon type={choice.info.type} />
              <span>
                {choice.info.title}
                {choice.missingSettings.length > 0 && <span class="faint">{needsOf(choice)}</span>}
              </span>
            </a>
          </li>
        ))}
      </ul>
    </>
  )
}
