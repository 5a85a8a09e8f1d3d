// Invites somebody: in a dialog where members are listed, or above the invitations.
import schema from 'schema:invites.create'
import { useSignal } from '@preact/signals'
import { type Body, fetchData } from '../../api/client.ts'
import { Dialog } from '../../parts/dialog/dialog.tsx'
import { ShownOnce } from '../../parts/dialog/shown-once.tsx'
import { SelectField, TextField } from '../../parts/form/fields.tsx'
import { useForm } from '../../parts/form/form.ts'
import { FormFrame } from '../../parts/form/form-frame.tsx'
import { mayAs, orgId } from '../../stores/session.ts'
import { words } from '../../words/words.ts'

export interface InviteFormProps {
  /** With the link, which is shown once. */
  readonly onInvited: (link: string) => void
  readonly shouldFocus?: boolean
}

export function InviteForm({ onInvited, shouldFocus = false }: InviteFormProps) {
  const { people: texts, common } = words.value
  const form = useForm<Body<'invites.create'>>(
    () => ({
      schema,
      draft: 'invite',
      initial: { email: '', role: 'member' },
      submit: async (body) => {
        const { url } = await fetchData('invites.create', { path: { orgId: orgId() }, body })
        form.reset({ email: '', role: 'member' })
        onInvited(url)
      },
    }),
    [],
  )
  const roles = (['viewer', 'member', 'admin', 'owner'] as const).filter(
    (role) => role !== 'owner' || mayAs('owner'),
  )
  return (
    <FormFrame form={form} submitText={texts.invite}>
      <div class="form-row">
        <TextField
          pointer="/email"
          type="email"
          label={texts.email}
          isRequired
          shouldFocus={shouldFocus}
        />
        <SelectField
          pointer="/role"
          label={texts.role}
          choices={roles.map((value) => ({ value, text: common.roles[value] }))}
        />
      </div>
    </FormFrame>
  )
}

export interface InviteLinkProps {
  readonly link: string
  readonly onClose: () => void
}

export function InviteLink({ link, onClose }: InviteLinkProps) {
  const texts = words.value.people
  return (
    <ShownOnce
      title={texts.inviteLink}
      about={texts.inviteLinkAbout}
      secret={link}
      onClose={onClose}
    />
  )
}

/** Opens the form in a dialog; the link of the invitation takes its place. */
export function InviteButton() {
  const texts = words.value.people
  const isOpen = useSignal(false)
  const link = useSignal<string | undefined>(undefined)
  return (
    <>
      <button type="button" class="primary" onClick={() => (isOpen.value = true)}>
        {texts.invite}
      </button>
      {isOpen.value && (
        <Dialog title={texts.invite} onClose={() => (isOpen.value = false)}>
          <InviteForm
            shouldFocus
            onInvited={(made) => {
              isOpen.value = false
              link.value = made
            }}
          />
        </Dialog>
      )}
      {link.value !== undefined && (
        <InviteLink link={link.value} onClose={() => (link.value = undefined)} />
      )}
    </>
  )
}
