// The search of the guide, with all that it looks through: loaded when somebody wants it.
import MiniSearch from 'minisearch'

const idle = new Set(
  (
    'a an and are as at be by can do does for from get have how i if in into is it its me my of on or our ' +
    'should so that the there this to up use using want was we what when where which why will with you your'
  ).split(' '),
)

/** Different forms of a word are one. */
function stem(word) {
  if (word.length <= 3) return word
  return word
    .replace(/ies$/, 'y')
    .replace(/(?<=..[^aeious])(?:es|s)$/, '')
    .replace(/(?<=[aeiou])s$/, '')
    .replace(/(?<=.{3})(?:ing|ed|ion)$/, '')
    .replace(/e$/, '')
}

const index = new MiniSearch({
  fields: ['heading', 'also', 'title', 'text'],
  storeFields: ['href', 'page', 'heading', 'text', 'isBackground'],
  processTerm(term) {
    const word = term.toLowerCase()
    return idle.has(word) ? null : stem(word)
  },
  searchOptions: {
    boost: { heading: 5, also: 6, title: 3 },
    prefix: (term) => term.length >= 3,
    fuzzy: (term) => (term.length >= 5 ? 0.2 : false),
    weights: { prefix: 0.6, fuzzy: 0.3 },
    // What explains the program comes after what explains its use.
    boostDocument: (_id, _term, { isBackground }) => (isBackground ? 0.3 : 1),
  },
})

index.addAll(
  guideSections.flatMap(([page, href, isBackground, sections]) =>
    sections.map(([anchor, heading, also, text]) => ({
      id: `${href}#${anchor}`,
      href: anchor === '' ? href : `${href}#${anchor}`,
      ...{ page, heading, also, text, isBackground },
      title: page,
    })),
  ),
)

/** Sections that have all of the words first, then those that have some. */
window.searchGuide = (text) => {
  const all = index.search(text, { combineWith: 'AND' })
  const ids = new Set(all.map(({ id }) => id))
  const some = index.search(text).filter(({ id }) => !ids.has(id))
  return [...all, ...some]
}
