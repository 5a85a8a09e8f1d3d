// Which settings of the service something needs, with the way to them for administrators.
import { isOperator } from '../../stores/session.ts'
import { punctuation, words } from '../../words/words.ts'

export function MissingSettings({ text }: { readonly text: string }) {
  return (
    <>
      {text}
      {isOperator.value && (
        <>
          {punctuation.value.gap}
          <a href="/app/system?tab=settings">{words.value.common.openSettings}</a>
        </>
      )}
    </>
  )
}
