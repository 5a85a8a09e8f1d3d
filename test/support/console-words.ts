// The catalogues of the console, for tests that look for its texts.
import { consoleTexts } from '../../scripts/console/texts.ts'
import { catalogueIn } from '../../src/console/words/catalogue.ts'

export const en = catalogueIn('en', consoleTexts('en'))
export const de = catalogueIn('de', consoleTexts('de'))
