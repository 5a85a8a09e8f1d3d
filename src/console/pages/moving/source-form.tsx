// Where it comes from: a file that is dropped or chosen, or the address of another product with a key.
import convertSchema from 'schema:orgs.convert'
import fetchSchema from 'schema:orgs.fetchForeign'
import { useSignal } from '@preact/signals'
import { FileDown } from 'lucide'
import { schemaAt } from '../../base/json-schema.ts'
import { Icon } from '../../parts/text/icon.tsx'
import { bytes } from '../../parts/text/sizes.ts'
import { words } from '../../words/words.ts'
import { productName } from './import-record.ts'
import type { FileKind } from './kind-of-file.ts'
import type { ChosenFile, GatusMore, Site } from './reading.ts'
import { chosenFiles, droppedFiles, type NamedFile } from './several-files.ts'

type Product = Site['product']

/** The API lists them. */
const products = (schemaAt(fetchSchema, '/product')?.enum ?? []) as readonly Product[]
const converted = (schemaAt(convertSchema, '/product')?.enum ?? []) as readonly FileKind[]
const fileKinds: readonly FileKind[] = ['stillup', ...converted]
/** Products whose configuration may lie in several files. */
const kindsOfSeveral: readonly FileKind[] = ['gatus', 'blackbox']

/** Where each is, unless people host it themselves. */
const addresses: Readonly<Partial<Record<string, string>>> = {
  healthchecks: 'https://healthchecks.io',
  uptimerobot: 'https://api.uptimerobot.com',
  betterstack: 'https://uptime.betterstack.com',
  pingdom: 'https://api.pingdom.com',
  checkly: 'https://api.checklyhq.com',
  oneuptime: 'https://oneuptime.com',
  statuspage: 'https://api.statuspage.io',
}

interface DropZoneProps {
  readonly chosen: ChosenFile | undefined
  readonly isWrong: boolean
  readonly onFiles: (files: Promise<readonly NamedFile[]>) => void
}

export function DropZone({ chosen, isWrong, onFiles }: DropZoneProps) {
  const { moving: texts } = words.value
  const isOver = useSignal(false)
  return (
    <label
      class={isOver.value ? 'drop-zone is-over' : 'drop-zone'}
      onDragOver={(event) => {
        event.preventDefault()
        isOver.value = true
      }}
      onDragLeave={() => (isOver.value = false)}
      onDrop={(event) => {
        event.preventDefault()
        isOver.value = false
        onFiles(droppedFiles(event.dataTransfer))
      }}
    >
      <Icon of={FileDown} />
      <span class="drop-name">
        <span class={chosen && 'hidden'}>{texts.file}</span>
        {chosen && (
          <>
            <strong>{chosen.name}</strong> <span class="faint">{bytes(chosen.bytes)}</span>
          </>
        )}
      </span>
      <span class="help">{chosen ? texts.another : texts.fileHelp}</span>
      <input
        type="file"
        multiple
        aria-invalid={isWrong}
        aria-describedby={isWrong ? 'refusal' : undefined}
        onClick={({ currentTarget }) => {
          // The same file may be chosen again, changed.
          currentTarget.value = ''
        }}
        onChange={({ currentTarget }) => {
          const files = chosenFiles(currentTarget.files ?? [])
          if (files.length > 0) onFiles(Promise.resolve(files))
        }}
      />
    </label>
  )
}

interface KindFieldProps {
  readonly chosen: ChosenFile
  readonly gatus: GatusMore
  readonly onChange: (kind: ChosenFile['kind']) => void
  readonly onGatus: (more: GatusMore) => void
  readonly onLook: () => void
}

/** Which product wrote a text, and what it needs besides. */
export function KindField({ chosen, gatus, onChange, onGatus, onLook }: KindFieldProps) {
  const { moving: texts } = words.value
  const { kind, content } = chosen
  const areSeveral = Array.isArray(content) && content.length > 1
  const kinds = areSeveral ? kindsOfSeveral : fileKinds
  return (
    <>
      <label class="field">
        {texts.writtenBy}
        <select
          value={kind}
          onChange={({ currentTarget }) =>
            onChange(kinds.find((one) => one === currentTarget.value) ?? kind)
          }
        >
          {kinds.map((one) => (
            <option key={one} value={one}>
              {texts.kinds[one]}
            </option>
          ))}
        </select>
        <span class="help">{texts.kindHelp[kind]}</span>
      </label>
      {kind === 'gatus' && (
        <>
          <label class="field">
            {texts.environment}
            <textarea
              class="code is-hidden"
              rows={4}
              spellcheck={false}
              autocomplete="off"
              placeholder="SLACK_WEBHOOK_URL=https://…"
              value={gatus.environment}
              onInput={({ currentTarget }) =>
                onGatus({ ...gatus, environment: currentTarget.value })
              }
            />
            <span class="help">{texts.environmentHelp}</span>
          </label>
          <label class="field">
            {texts.installation}
            <input
              type="text"
              placeholder="gatus"
              value={gatus.installation}
              onInput={({ currentTarget }) =>
                onGatus({ ...gatus, installation: currentTarget.value })
              }
            />
            <span class="help">{texts.installationHelp}</span>
          </label>
          <div class="actions">
            <button type="button" onClick={onLook}>
              {texts.lookAgain}
            </button>
          </div>
        </>
      )}
    </>
  )
}

interface SiteFormProps {
  readonly onRead: (site: Site) => void
}

export function SiteForm({ onRead }: SiteFormProps) {
  const { moving: texts } = words.value
  const [first = 'healthchecks'] = products
  const product = useSignal<Product>(first)
  const url = useSignal(addresses[first] ?? '')
  const key = useSignal('')
  const pingKey = useSignal('')
  const asksPingKey = product.value === 'healthchecks'
  return (
    <form
      class="card form"
      onSubmit={(event) => {
        event.preventDefault()
        const more = pingKey.value.trim()
        onRead({
          ...{ product: product.value, url: url.value.trim(), key: key.value.trim() },
          ...(asksPingKey && more !== '' ? { pingKey: more } : {}),
        })
      }}
    >
      <h2>{texts.byAddress}</h2>
      <p class="help">{texts.byAddressHelp}</p>
      <label class="field">
        {texts.product}
        <select
          value={product.value}
          onChange={({ currentTarget }) => {
            product.value = products.find((one) => one === currentTarget.value) ?? first
            url.value = addresses[product.value] ?? ''
          }}
        >
          {products.map((one) => (
            <option key={one} value={one}>
              {productName(one)}
            </option>
          ))}
        </select>
      </label>
      <label class="field">
        {texts.address}
        <input
          type="url"
          required
          class="code"
          value={url.value}
          onInput={({ currentTarget }) => (url.value = currentTarget.value)}
        />
      </label>
      <label class="field">
        {texts.key}
        <input
          type="password"
          required
          autocomplete="off"
          value={key.value}
          onInput={({ currentTarget }) => (key.value = currentTarget.value)}
        />
        <span class="help">{texts.keyHelp}</span>
      </label>
      {asksPingKey && (
        <label class="field">
          {texts.pingKey}
          <input
            type="password"
            autocomplete="off"
            value={pingKey.value}
            onInput={({ currentTarget }) => (pingKey.value = currentTarget.value)}
          />
          <span class="help">{texts.pingKeyHelp}</span>
        </label>
      )}
      <div class="actions">
        <button type="submit">{texts.read}</button>
      </div>
    </form>
  )
}
