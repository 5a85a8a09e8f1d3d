// The settings of the service: what no file sets can be set here, tried, and taken back.
import { useResource } from '../../../api/resource.ts'
import { Loaded } from '../../../parts/page/loaded.tsx'
import { words } from '../../../words/words.ts'
import { MailForm } from './mail-form.tsx'
import { SectionForm } from './section-form.tsx'
import { readSettings, type SectionProps, sectionTitle, settingTitle } from './settings-model.ts'

export function Settings() {
  const { settings: texts } = words.value
  const settings = useResource(readSettings, [])
  return (
    <Loaded of={settings}>
      {({ sections, waiting }) => (
        <div class="page-part">
          <p class="faint">{texts.about}</p>
          {waiting.length > 0 && (
            <p class="note is-degraded" role="status">
              {texts.waiting({ names: waiting.map(settingTitle).join(', ') })}
            </p>
          )}
          {sections.map((section) => (
            <section key={section.name} id={section.name} class="card">
              <h2>{sectionTitle(section.name)}</h2>
              <FormOf section={section} onSaved={() => void settings.reload()} />
            </section>
          ))}
        </div>
      )}
    </Loaded>
  )
}

function FormOf(props: SectionProps) {
  return props.section.name === 'mail' ? <MailForm {...props} /> : <SectionForm {...props} />
}
