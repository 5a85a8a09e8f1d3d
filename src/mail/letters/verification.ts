// The letter that tells a person the result of their identity verification.
import { type Letter, letterOf } from '../letter.ts'

export interface VerificationEnd {
  readonly state: 'approved' | 'rejected' | 'expired'
  /** The explanation that the reviewer gives to the person. */
  readonly reason: string | null
  readonly service: string
}

const words = {
  approved: { subject: 'Your identity is verified', sentence: 'was approved' },
  rejected: { subject: 'Your identity could not be verified', sentence: 'was rejected' },
  expired: {
    subject: 'Your identity verification has expired',
    sentence: 'ended without a decision',
  },
} as const

export function verificationEnded({ state, reason, service }: VerificationEnd): Letter {
  const { subject, sentence } = words[state]
  return letterOf({
    subject,
    paragraphs: [
      `The verification of your identity at ${service} ${sentence}.`,
      ...(reason === null ? [] : [`The stated reason: ${reason}`]),
      ...(state === 'approved' ? [] : ['You may submit your details again.']),
    ],
    footer: [
      'What you submitted is erased some time after this; you can erase it yourself earlier.',
      'If you did not expect this, change your password: somebody else uses your account.',
    ],
  })
}
