// Variables of the environment, as Gatus puts their values into its configuration.
import t from 'tap'
import {
  expanded,
  foreignEnvironmentCharsMax,
  readEnvironment,
} from '../../../../src/domain/imports/gatus/environment.ts'

t.test('a file of variables is read as systemd and Compose read it', async (t) => {
  const text = [
    '# a comment',
    '; another',
    '',
    'PLAIN=a#b',
    'export SPACED = two words # said',
    `SINGLE='$A "x" #1'`,
    'DOUBLE="line\\none \\"two\\"" # said',
    'EMPTY=',
    'OPEN="half',
    '__proto__=own\r',
  ].join('\n')
  t.same(Object.fromEntries(readEnvironment(text)), {
    PLAIN: 'a#b',
    SPACED: 'two words',
    SINGLE: '$A "x" #1',
    DOUBLE: 'line\none "two"',
    EMPTY: '',
    OPEN: '"half',
    ['__proto__']: 'own',
  })
  const refused = (text: string, message: RegExp) =>
    t.throws(() => readEnvironment(text), { name: 'ForeignFileRefused', message })
  refused('A=1\nno line', /^has variables beside it without a name before the = in line 2$/)
  refused('1A=x', /in line 1: 1A$/)
  refused('x'.repeat(foreignEnvironmentCharsMax + 1), /^has more than 65536 characters/)
})

t.test('values take the place of names as Go puts them there', async (t) => {
  const environment = readEnvironment('A=1\nB_2=$A\nLONG=x')
  const put = (text: string) => expanded(text, environment)
  t.equal(put('$A ${A} ${B_2} $B_2.x'), '1 1 $A $A.x', 'values are not looked through')
  t.equal(put('$$A $${A} $$'), '$A ${A} $')
  t.equal(put('a$ $.x $'), 'a$ $.x $')
  t.equal(put('[$1 $* $? ${}]${'), '[   ]', 'what is no name has no value')
  t.equal(put('none'), 'none')
  t.match(put('${TOKEN}'), /^.TOKEN.$/u, 'what is missing is known later')
})

t.test('however often a value is named, the text stays small, and it takes no time', async (t) => {
  const environment = readEnvironment(`A=${'x'.repeat(60_000)}`)
  t.throws(() => expanded('$A'.repeat(50_000), environment), {
    name: 'ForeignFileRefused',
    message: /^has more than 1048576 characters with the values of its variables$/,
  })
  const started = process.cpuUsage()
  expanded('${'.repeat(250_000), environment)
  expanded(`${'${'.repeat(250_000)}}`, environment)
  const { user } = process.cpuUsage(started)
  t.ok(user < 300_000, `${user} µs`)
})
