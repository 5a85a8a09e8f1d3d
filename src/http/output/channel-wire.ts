// What answers say of a channel that they tell something about.
import * as s from '../../base/schema/schema.ts'
import { channelTypes } from '../../channels/registry.ts'

export const namedChannel = {
  channelId: s.idOf('channel'),
  name: s.anyText,
  type: s.oneOf(channelTypes),
}
