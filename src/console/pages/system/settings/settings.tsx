// The settings of the service: what no file sets can be set here, tried, and taken back.
import { useEffect } from 'preact/hooks'
import { useResource } from '../../../api/resource.ts'
import { MoreInGuide } from '../../../parts/form/fields.tsx'
import { Loaded } from '../../../parts/page/loaded.tsx'
import { listed, words } from '../../../words/words.ts'
import { GroupForm } from './group-form.tsx'
import { MailForm } from './mail-form.tsx'
import { ProvidersForm } from './providers-form.tsx'
import {
  type GroupProps,
  groupsOf,
  groupTitle,
  readSettings,
  settingTitle,
} from './settings-model.ts'

export function Settings() {
  const { settings: texts } = words.value
  const settings = useResource(readSettings, [])
  const isKnown = settings.value.value !== undefined
  useEffect(() => {
    // What a link leads to was not there when the browser looked for it.
    if (isKnown) document.getElementById(location.hash.slice(1))?.scrollIntoView()
  }, [isKnown])
  return (
    <Loaded of={settings}>
      {(all) => (
        <div class="page-part is-forms">
          <p class="faint">{texts.about}</p>
          {all.waiting.length > 0 && (
            <p class="note is-degraded" role="status">
              {texts.waiting({
                names: listed(all.waiting.map(settingTitle)),
              })}
            </p>
          )}
          {groupsOf(all).map((group) => (
            <section key={group.name} id={group.name} class="card">
              <div class="gallery-head">
                <h2>{groupTitle(group.name)}</h2>
                <span class="help">
                  <MoreInGuide pointer={`settings/${group.name}`} />
                </span>
              </div>
              <FormOf group={group} onSaved={() => void settings.reload()} />
            </section>
          ))}
        </div>
      )}
    </Loaded>
  )
}

function FormOf(props: GroupProps) {
  if (props.group.name === 'mail') return <MailForm {...props} />
  if (props.group.name === 'providers') return <ProvidersForm {...props} />
  return <GroupForm {...props} />
}
