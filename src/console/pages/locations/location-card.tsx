// One location: how it is, and the probes that stand there.
import { useSignal } from '@preact/signals'
import { everyPage, fetchData, wholeList } from '../../api/client.ts'
import { useResource } from '../../api/resource.ts'
import { act } from '../../parts/dialog/act.ts'
import { RemovalMenu } from '../../parts/dialog/removal-menu.tsx'
import { LogTable } from '../../parts/list/log-table.tsx'
import { milliseconds, Time } from '../../parts/text/time.tsx'
import { punctuation, words } from '../../words/words.ts'
import { type LocationEntry, locationTones } from './location.ts'
import { useLocationOwner } from './location-owner.ts'
import { FormerToken, ProbeActions, type ProbeActionsProps } from './probe-actions.tsx'
import { AddProbe } from './probe-setup.tsx'

export interface LocationCardProps {
  readonly location: LocationEntry
  /** Grows when the probes should be read again. */
  readonly looks: number
  /** Whether its probes are shown at once. */
  readonly isOpen: boolean
  readonly onEdit: () => void
  readonly onChange: () => void
}

export function LocationCard({ location, looks, isOpen, onEdit, onChange }: LocationCardProps) {
  const texts = words.value.locations
  const { name, description, state, probes, monitors } = location
  const owner = useLocationOwner()
  const isForeign = location.isShared && !owner.isShared
  const isUnfolded = useSignal(isOpen)
  return (
    <section class="card location" aria-label={name}>
      <header class="card-head">
        <div>
          <h2>
            <span class={`state ${locationTones[state]}`}>
              <span class="hidden">{texts.states[state]}</span>
            </span>
            <bdi>{name}</bdi>
            {isForeign && (
              <span class="tag" title={texts.sharedAbout}>
                {texts.shared}
              </span>
            )}
          </h2>
          <p class="faint">
            {texts.states[state]} · {texts.monitors({ count: monitors })}
          </p>
        </div>
        {!isForeign && owner.mayChange() && (
          <LocationActions location={location} onEdit={onEdit} onChange={onChange} />
        )}
      </header>
      {description !== null && (
        <p class="faint lines">
          <bdi>{description}</bdi>
        </p>
      )}
      {!isForeign &&
        (probes === 0 ? (
          <p class="faint">{texts.noProbes}</p>
        ) : (
          <details
            open={isUnfolded.value}
            onToggle={({ currentTarget }) => (isUnfolded.value = currentTarget.open)}
          >
            <summary>{texts.probes({ count: probes })}</summary>
            {isUnfolded.value && <Probes location={location} looks={looks} onChange={onChange} />}
          </details>
        ))}
    </section>
  )
}

type LocationActionsProps = Pick<LocationCardProps, 'location' | 'onEdit' | 'onChange'>

function LocationActions({ location, onEdit, onChange }: LocationActionsProps) {
  const { locations: texts, common } = words.value
  const { id: locationId, name } = location
  const owner = useLocationOwner()
  const path = { ...owner.path, locationId }
  async function remove(): Promise<boolean> {
    const isDone = await act(
      () => fetchData(owner.operation('remove'), { path }),
      texts.deleted({ name }),
    )
    if (isDone) onChange()
    return isDone
  }
  return (
    <div class="actions">
      <AddProbe location={location} onChange={onChange} />
      <RemovalMenu
        items={[{ text: common.actions.edit, onSelect: onEdit }]}
        title={texts.deleteTitle({ name })}
        about={texts.deleteAbout}
        onConfirm={remove}
      />
    </div>
  )
}

type ProbesProps = Pick<LocationCardProps, 'location' | 'looks' | 'onChange'>

function Probes({ location: { id: locationId, probes: count }, looks, onChange }: ProbesProps) {
  const owner = useLocationOwner()
  const path = { ...owner.path, locationId }
  const probes = useResource(
    (signal) => wholeList(everyPage(owner.operation('listProbes'), { path, query: {}, signal })),
    [locationId],
    [looks, count],
  )
  return (
    <LogTable of={probes} isInside>
      {(probe) => (
        <ProbeRow key={probe.id} locationId={locationId} probe={probe} onChange={onChange} />
      )}
    </LogTable>
  )
}

function ProbeRow(props: ProbeActionsProps) {
  const texts = words.value.locations
  const { name, state, version, lastSeenAt, address, load, formerTokenUntil } = props.probe
  const { mayChange } = useLocationOwner()
  const isKnown = lastSeenAt !== null || state === 'live'
  return (
    <tr>
      <td>
        <span class={`state ${isKnown ? locationTones[state] : locationTones.empty}`}>
          <bdi>{name}</bdi>
        </span>
        <div class="faint">
          {isKnown ? texts.states[state] : texts.notHeard}
          {state === 'silent' && lastSeenAt !== null && (
            <>
              {punctuation.value.stop + punctuation.value.gap + texts.lastWord}{' '}
              <Time at={lastSeenAt} />
            </>
          )}
        </div>
      </td>
      <td>
        {version !== null && texts.version({ version })}
        {address !== null && (
          <div class="faint">
            <bdi>{address}</bdi>
          </div>
        )}
      </td>
      <td>
        {load && (
          <>
            {texts.monitors({ count: load.monitors })}
            <div class="faint">
              {texts.checks({ count: load.checks })} ·{' '}
              {texts.late({ time: milliseconds(load.lateMs) })}
            </div>
            {load.dropped > 0 && <div class="wrong">{texts.dropped({ count: load.dropped })}</div>}
          </>
        )}
        {formerTokenUntil !== null && <FormerToken until={formerTokenUntil} />}
      </td>
      <td class="actions">{mayChange() && <ProbeActions {...props} />}</td>
    </tr>
  )
}
