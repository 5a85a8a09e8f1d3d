// The colours of tags as requests and answers have them.
import * as s from '../../../base/schema/schema.ts'
import { limits } from '../../../domain/limits/limits.ts'
import { tagColorPattern } from '../../../domain/orgs/tag-colors.ts'
import { tag } from '../monitors/monitor-input-schemas.ts'

/** As the organization has them, and as a document to import brings them. */
export const tagColors = s.described(
  s.listOf(
    s.object({
      tag: s.described(tag, 'The tag.'),
      color: s.text({
        description: 'Red, green and blue, in two digits each.',
        charsMax: 7,
        pattern: tagColorPattern,
        rule: 'must be # and six digits of 0-9, a-f, such as #dc2626',
      }),
    }),
    limits.tagColorsMax,
  ),
  'The colours in which the console shows tags; those of other tags are all alike.',
)
