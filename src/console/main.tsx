// The console begins here: it finds out who is signed in and in which language, then shows the page
// of the address.
import './look/console.css'
import { render } from 'preact'
import { renewSessionsWith } from './api/client.ts'
import { prepareStream } from './api/live.ts'
import { sayProblemsWith, unreachable } from './api/problem.ts'
import { inward } from './base/base-path.ts'
import { App } from './shell/app.tsx'
import { leadOutward } from './shell/own-location.tsx'
import { renewal } from './shell/renewal.tsx'
import { loadSession } from './stores/session.ts'
import { applyTheme } from './stores/theme.ts'
import { loadLanguage, words } from './words/words.ts'

applyTheme()
leadOutward()
renewSessionsWith(renewal)
sayProblemsWith((text) => words.value.said(text))

const root = document.getElementById('console')
if (root) {
  // Nobody is signed in at the wall.
  const isWall = inward(location.pathname) === '/app/wall'
  if (!isWall) prepareStream()
  const [, failure] = await Promise.all([
    loadLanguage().catch(() => loadLanguage('en')),
    isWall
      ? undefined
      : loadSession().then(
          () => undefined,
          (error: unknown) => unreachable(error),
        ),
  ])
  root.replaceChildren()
  render(<App failure={failure} />, root)
}
