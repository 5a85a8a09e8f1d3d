// Where a page is served besides its address: at host names of its own, and at a subdomain.
import { type Data, everyPage, fetchData, type Item, wholeList } from '../../api/client.ts'
import { useResource } from '../../api/resource.ts'
import { act } from '../../parts/dialog/act.ts'
import { AskButton } from '../../parts/dialog/ask-button.tsx'
import { tell } from '../../parts/dialog/toast.tsx'
import { TextField } from '../../parts/form/fields.tsx'
import { useForm } from '../../parts/form/form.ts'
import { FormFrame } from '../../parts/form/form-frame.tsx'
import { Loaded } from '../../parts/page/loaded.tsx'
import { Copyable } from '../../parts/text/copyable.tsx'
import { Said } from '../../parts/text/said.tsx'
import { Time } from '../../parts/text/time.tsx'
import { mayAs, orgId } from '../../stores/session.ts'
import { punctuation, words } from '../../words/words.ts'
import type { StoredPage } from './page-body.ts'

type Domain = Item<'custom-domains.list'>

export interface DomainsProps {
  readonly page: StoredPage
  readonly onChange: (page: StoredPage) => void
}

export function Domains({ page, onChange }: DomainsProps) {
  const texts = words.value.statusPages.domain
  const domains = useResource(
    (signal) =>
      wholeList(
        everyPage('custom-domains.list', {
          path: { orgId: orgId() },
          query: { limit: 200 },
          signal,
        }),
      ),
    [page.id],
  )
  return (
    <div class="page-part">
      <section class="card">
        <h2>{texts.own}</h2>
        <p class="faint">{texts.about}</p>
        <Loaded of={domains}>
          {(all) => {
            const own = all.filter(({ statusPageId }) => statusPageId === page.id)
            return (
              <>
                {own.length === 0 && <p>{texts.none}</p>}
                {own.map((domain) => (
                  <DomainCard
                    key={domain.id}
                    domain={domain}
                    onChange={() => void domains.reload()}
                  />
                ))}
              </>
            )
          }}
        </Loaded>
        {mayAs('admin') && <AddDomain pageId={page.id} onDone={() => void domains.reload()} />}
      </section>
      <section class="card">
        <h2>{texts.subdomain}</h2>
        {page.subdomainUrl !== null && <a href={page.subdomainUrl}>{page.subdomainUrl}</a>}
        {page.subdomain !== null && page.subdomainUrl === null && (
          <p class="faint">{texts.subdomainUnserved}</p>
        )}
        {mayAs('admin') ? (
          <Subdomain page={page} onChange={onChange} />
        ) : (
          page.subdomain === null && <p class="faint">{words.value.common.none}</p>
        )}
      </section>
    </div>
  )
}

const tones = {
  pending: 'is-pending',
  verified: 'is-degraded',
  active: 'is-up',
  failed: 'is-down',
} as const

interface DomainCardProps {
  readonly domain: Domain
  readonly onChange: () => void
}

function DomainCard({ domain, onChange }: DomainCardProps) {
  const { statusPages, common } = words.value
  const texts = statusPages.domain
  const { id, hostname, status, reason, records, lastCheckedAt, nextCheckAt } = domain
  const path = { orgId: orgId(), customDomainId: id }
  async function verify(): Promise<void> {
    let found: Data<'custom-domains.verify'> | undefined
    await act(async () => {
      found = await fetchData('custom-domains.verify', { path })
    })
    if (!found) return
    const { reason, status } = found
    tell(reason === null ? texts.states[status] : (words.value.said(reason) ?? reason))
    onChange()
  }
  const remove = () =>
    act(async () => {
      await fetchData('custom-domains.remove', { path })
      onChange()
    }, texts.removed({ hostname }))
  return (
    <article class="page-part domain">
      <header class="card-head">
        <h3>{hostname}</h3>
        <span class={`state ${tones[status]}`}>{texts.states[status]}</span>
      </header>
      {reason !== null && (
        <p class="wrong">
          <Said text={reason} />
        </p>
      )}
      <p class="faint">
        {lastCheckedAt !== null && (
          <>
            {texts.checked} <Time at={lastCheckedAt} />
            {punctuation.value.stop + punctuation.value.gap}
          </>
        )}
        {nextCheckAt !== null && (
          <>
            {texts.next} <Time at={nextCheckAt} />
            {punctuation.value.stop}
          </>
        )}
      </p>
      <p>{status === 'active' ? texts.fine : texts.records}</p>
      <dl class="dns-records">
        {records.map(({ type, name, value }) => (
          <div key={`${type} ${value}`}>
            <dt>{type}</dt>
            <dd>
              <Copyable text={name} label={`${type} ${texts.name}`} />
              <Copyable text={value} label={`${type} ${texts.value}`} />
            </dd>
          </div>
        ))}
      </dl>
      {mayAs('admin') && (
        <div class="actions">
          <button type="button" onClick={() => void verify()}>
            {texts.verify}
          </button>
          <AskButton
            text={common.actions.remove}
            title={texts.removeTitle({ hostname })}
            about={texts.removeAbout}
            onConfirm={remove}
          />
        </div>
      )}
    </article>
  )
}

interface AddDomainProps {
  readonly pageId: string
  readonly onDone: () => void
}

function AddDomain({ pageId, onDone }: AddDomainProps) {
  const texts = words.value.statusPages.domain
  const form = useForm(
    () => ({
      draft: `domain ${pageId}`,
      initial: { hostname: '' },
      submit: async ({ hostname }: { readonly hostname: string }) => {
        const body = { hostname, statusPageId: pageId }
        await fetchData('custom-domains.create', { path: { orgId: orgId() }, body })
        tell(texts.added)
      },
    }),
    [pageId],
  )
  return (
    <FormFrame
      form={form}
      submitText={texts.add}
      onDone={() => {
        form.reset({ hostname: '' })
        onDone()
      }}
    >
      <TextField
        pointer="/hostname"
        label={texts.hostname}
        placeholder="status.example.com"
        isCode
      />
    </FormFrame>
  )
}

const subdomainOf = ({ subdomain }: StoredPage): Pick<StoredPage, 'subdomain'> => ({ subdomain })

function Subdomain({ page, onChange }: DomainsProps) {
  const { statusPages, common } = words.value
  const texts = statusPages.domain
  const path = { orgId: orgId(), statusPageId: page.id }
  const form = useForm<Pick<StoredPage, 'subdomain'>>(
    () => ({
      initial: subdomainOf(page),
      stored: {
        record: page,
        read: () => fetchData('status-pages.get', { path }),
        shownOf: subdomainOf,
      },
      submit: async (body, revision) => {
        const saved = await fetchData('status-pages.setSubdomain', { path, body, revision })
        onChange(saved)
        tell(texts.subdomainSaved)
        return saved
      },
    }),
    [page.id],
  )
  return (
    <FormFrame form={form} submitText={common.actions.save}>
      <TextField
        pointer="/subdomain"
        label={texts.subdomainLabel}
        help={texts.subdomainHelp}
        isCode
        emptyAs={null}
      />
    </FormFrame>
  )
}
