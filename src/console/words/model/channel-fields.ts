// The words for the fields that each type of channel asks for. The API describes them in English;
// another language has words for each field, or its catalogue does not type-check.
import type {
  AlertmanagerChannel,
  DingtalkChannel,
  DiscordChannel,
  EmailChannel,
  FeishuChannel,
  GooglechatChannel,
  GotifyChannel,
  LineChannel,
  MatrixChannel,
  MattermostChannel,
  NtfyChannel,
  Operations,
  OpsgenieChannel,
  PagerdutyChannel,
  PushoverChannel,
  RocketchatChannel,
  SignalChannel,
  SlackChannel,
  SplunkOncallChannel,
  TeamsChannel,
  TelegramChannel,
  TwilioChannel,
  WebexChannel,
  WebhookChannel,
  WecomChannel,
  ZulipChannel,
} from '../../generated/operations.ts'

type AnyChannel =
  | AlertmanagerChannel
  | DingtalkChannel
  | DiscordChannel
  | EmailChannel
  | FeishuChannel
  | GooglechatChannel
  | GotifyChannel
  | LineChannel
  | MatrixChannel
  | MattermostChannel
  | NtfyChannel
  | OpsgenieChannel
  | PagerdutyChannel
  | PushoverChannel
  | RocketchatChannel
  | SignalChannel
  | SlackChannel
  | SplunkOncallChannel
  | TeamsChannel
  | TelegramChannel
  | TwilioChannel
  | WebexChannel
  | WebhookChannel
  | WecomChannel
  | ZulipChannel

/** A field's label, and what it is for. */
export type FieldWords = readonly [label: string, help: string]

type ConfigOf<Type> = NonNullable<Extract<AnyChannel, { readonly type: Type }>['config']>

export type ChannelFieldWords = {
  readonly [Type in Operations['alert-channels.create']['body']['type']]: {
    readonly [Name in keyof ConfigOf<Type>]-?: FieldWords
  }
}
