// Words that every area uses.

export const common = {
  states: {
    up: 'Up',
    degraded: 'Degraded',
    down: 'Down',
    pending: 'Pending',
    unknown: 'Unknown',
    paused: 'Paused',
    maintenance: 'Maintenance',
  },
  confirming: {
    chip: (failed: number, needed: number) => `failing ${failed} of ${needed}`,
    about: (failed: number, needed: number) =>
      `Failed checks: ${failed}. At ${needed} the monitor counts as down.`,
  },
  roles: { viewer: 'Viewer', member: 'Member', admin: 'Admin', owner: 'Owner' },
  actions: {
    save: 'Save',
    cancel: 'Cancel',
    close: 'Close',
    remove: 'Delete',
    undo: 'Undo',
    edit: 'Edit',
    copy: 'Copy',
    copied: 'Copied',
    retry: 'Try again',
    more: 'Show more',
  },
  loading: 'Loading',
  required: 'required',
  none: 'None',
  never: 'never',
  problems: {
    unreachable: 'The service does not answer.',
    kept: 'What you typed is still here.',
    requestId: (id: string) => `Request ${id}`,
    rateLimited: (seconds: number) => `Too many requests. Try again in ${seconds} s.`,
    forbidden: 'Your role does not allow this.',
    notFound: 'This does not exist, or it was deleted.',
    changedElsewhere: 'Somebody else changed this meanwhile.',
    checkFields: 'Some fields need your attention.',
  },
  conflict: {
    by: (who: string) => `${who} changed this meanwhile.`,
    fields: (names: string) => `What is different now: ${names}.`,
    about: 'What you typed is still here. If you save yours, their changes to other fields stay.',
    takeTheirs: 'Show theirs',
    keepMine: 'Save mine over it',
    loaded: 'You see their version now.',
  },
  drafts: { restored: 'Your unsaved changes are back.' },
  reload: {
    notLoaded: 'This could not be loaded. If the service was updated, reload the page.',
    failed: 'This page failed. Reload it; unsaved changes of forms come back.',
    button: 'Reload',
  },
}
