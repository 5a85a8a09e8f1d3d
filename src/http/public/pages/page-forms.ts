// Every form of a status page, by its path.
import type { PageForm } from './page-form.ts'
import { subscribeForm } from './subscribe.ts'
import { unlockForm } from './unlock.ts'

export const pageForms: readonly PageForm[] = [subscribeForm, unlockForm]
