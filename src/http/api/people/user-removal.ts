// The API for deleting one's own account.

import { sessionCookie } from '../../pipeline/session-cookie.ts'
import { answer, del, resource } from '../../routing/route.ts'

export const userRemoval = resource('/user', {
  remove: del('/', {
    who: { user: true, sudo: true },
    summary: 'Delete your account; first hand over or delete the organizations that only you own',
    message: 'Account deleted',
  }).handledBy(async ({ caller }, { departures, baseUrl }) => {
    await departures.removeUser(caller)
    return answer(null, { headers: [sessionCookie(null, baseUrl)] })
  }),
})
