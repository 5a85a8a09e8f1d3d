// The sign of a type of channel on the colour of its brand.
import brands from 'api:brands'
import { Bell, Hash, Mail, MessageCircle, PhoneCall, Smartphone, UsersRound, Webhook } from 'lucide'
import { Icon } from '../../parts/text/icon.tsx'

/** For brands without a sign, and for types that are no brand. */
const glyphs: Readonly<Record<string, typeof Bell>> = {
  dingtalk: MessageCircle,
  email: Mail,
  feishu: MessageCircle,
  pushover: Smartphone,
  slack: Hash,
  'splunk-oncall': PhoneCall,
  teams: UsersRound,
  twilio: MessageCircle,
  webhook: Webhook,
}

export function ChannelIcon({ type }: { readonly type: string }) {
  const { path, color } = brands[type] ?? {}
  return (
    <span class="brand-icon" aria-hidden="true" style={color && { background: color }}>
      {path === undefined ? (
        <Icon of={glyphs[type] ?? Bell} />
      ) : (
        <svg viewBox="0 0 24 24" aria-hidden="true">
          <path d={path} />
        </svg>
      )}
    </span>
  )
}
