// Who hears of a monitor: the default channels, or chosen ones.
import { everyPage, wholeList } from '../../../api/client.ts'
import { factsOf } from '../../../api/kinds.ts'
import { useResource } from '../../../api/resource.ts'
import { CheckField } from '../../../parts/form/fields.tsx'
import type { Form } from '../../../parts/form/form.ts'
import { Loaded } from '../../../parts/page/loaded.tsx'
import { orgId } from '../../../stores/session.ts'
import { punctuation, words } from '../../../words/words.ts'
import { kindIn, type MonitorBody } from './trial/monitor-body.ts'

export function ChannelsField({ form }: { readonly form: Form<MonitorBody> }) {
  const texts = words.value.editor
  const channels = useResource(
    (signal) =>
      wholeList(
        everyPage('alert-channels.list', {
          path: { orgId: orgId() },
          query: { limit: 200 },
          signal,
        }),
      ),
    [],
  )
  const chosen = (form.get('/notifyChannelIds') ?? []) as readonly string[]
  const isNobody = form.get('/alertsNobody') === true
  const toggle = (id: string, isOn: boolean) =>
    form.set('/notifyChannelIds', isOn ? [...chosen, id] : chosen.filter((one) => one !== id))
  return (
    <fieldset class="field">
      <legend>{texts.channels}</legend>
      <Loaded of={channels}>
        {(all) =>
          all.length === 0 ? (
            <p class="help">
              {texts.noChannels + punctuation.value.gap}
              <a href="/app/channels">{words.value.shell.places.channels}</a>
            </p>
          ) : (
            <>
              <CheckField
                pointer="/alertsNobody"
                label={texts.alertsNobody}
                help={texts.alertsNobodyHelp}
              />
              {!isNobody &&
                all.map(({ id, name, isDefault }) => (
                  <label key={id} class="inline">
                    <input
                      type="checkbox"
                      checked={chosen.includes(id)}
                      onChange={({ currentTarget }) => toggle(id, currentTarget.checked)}
                    />
                    <bdi>{name}</bdi>
                    {isDefault && <span class="faint">{texts.defaultChannel}</span>}
                  </label>
                ))}
              {!isNobody && (
                <p class="help">
                  {factsOf(kindIn(form)).hasMembers ? texts.members.channels : texts.channelsHelp}
                </p>
              )}
            </>
          )
        }
      </Loaded>
    </fieldset>
  )
}
