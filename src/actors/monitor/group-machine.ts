// The actor of a group: asks its members when it starts, and whenever one of them has turned.
import { assign, fromPromise, setup } from 'xstate'
import type { Monitor } from '../../domain/monitors/monitor.ts'
import type { Commit } from './commit.ts'

interface GroupContext {
  readonly monitor: Monitor
  /** A member turned while the group was being asked. */
  readonly isStale: boolean
}

export function createGroupMachine({ commit }: { readonly commit: Pick<Commit, 'members'> }) {
  return setup({
    types: {
      context: {} as GroupContext,
      events: {} as
        /** The state of a member changed, or whether it counts. */
          | { readonly type: 'members.turned' }
          /** The monitor is watched no more, or by another actor. */
          | { readonly type: 'monitor.left' },
      input: {} as Pick<GroupContext, 'monitor'>,
      tags: {} as 'idle' | 'busy',
    },
    actors: {
      commitMembers: fromPromise<void, Monitor>(async ({ input }) => {
        await commit.members(input)
      }),
    },
    actions: {
      note: assign({ isStale: true }),
      forget: assign({ isStale: false }),
    },
    guards: { isStale: ({ context }) => context.isStale },
  }).createMachine({
    id: 'group',
    context: ({ input }) => ({ ...input, isStale: false }),
    initial: 'asking',
    on: { 'monitor.left': '.left' },
    states: {
      asking: {
        tags: 'busy',
        entry: 'forget',
        on: { 'members.turned': { actions: 'note' } },
        invoke: {
          src: 'commitMembers',
          input: ({ context }) => context.monitor,
          onDone: [{ guard: 'isStale', target: 'asking', reenter: true }, { target: 'resting' }],
        },
      },
      resting: { tags: 'idle', on: { 'members.turned': 'asking' } },
      left: { type: 'final' },
    },
  })
}
