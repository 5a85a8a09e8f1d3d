// Where it comes from: a file that is dropped or chosen, or the address of another product with a key.
import schema from 'schema:orgs.fetchForeign'
import { useSignal } from '@preact/signals'
import { FileDown } from 'lucide'
import { schemaAt } from '../../base/json-schema.ts'
import { Icon } from '../../parts/text/icon.tsx'
import { bytes } from '../../parts/text/sizes.ts'
import { words } from '../../words/words.ts'
import { productName } from './import-record.ts'
import { fileKinds } from './kind-of-file.ts'
import type { ChosenFile, GatusMore, Site } from './reading.ts'

type Product = Site['product']

/** The API lists them. */
const products = (schemaAt(schema, '/product')?.enum ?? []) as readonly Product[]

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
  readonly onFile: (file: File) => void
}

export function DropZone({ chosen, isWrong, onFile }: DropZoneProps) {
  const { moving: texts } = words.value
  const isOver = useSignal(false)
  const take = (files: FileList | null | undefined) => {
    const [file] = files ?? []
    if (file) onFile(file)
  }
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
        take(event.dataTransfer?.files)
      }}
    >
      <Icon of={FileDown} />
      <span class="drop-name">
        <span class={chosen && 'hidden'}>{texts.file}</span>
        {chosen && (
          <>
            <strong>{chosen.file.name}</strong> <span class="faint">{bytes(chosen.file.size)}</span>
          </>
        )}
      </span>
      <span class="help">{chosen ? texts.another : texts.fileHelp}</span>
      <input
        type="file"
        aria-invalid={isWrong}
        aria-describedby={isWrong ? 'refusal' : undefined}
        onClick={({ currentTarget }) => {
          // The same file may be chosen again, changed.
          currentTarget.value = ''
        }}
        onChange={({ currentTarget }) => take(currentTarget.files)}
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
  const { kind } = chosen
  return (
    <>
      <label class="field">
        {texts.writtenBy}
        <select
          value={kind}
          onChange={({ currentTarget }) =>
            onChange(fileKinds.find((one) => one === currentTarget.value) ?? kind)
          }
        >
          {fileKinds.map((one) => (
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
  return (
    <form
      class="card form"
      onSubmit={(event) => {
        event.preventDefault()
        onRead({ product: product.value, url: url.value.trim(), key: key.value.trim() })
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
      <div class="actions">
        <button type="submit">{texts.read}</button>
      </div>
    </form>
  )
}
