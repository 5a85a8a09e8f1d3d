// Passwords: how they are kept, how many are hashed at once, and which are refused.
import t from 'tap'
import { passwordProblem } from '../../src/seal/password-policy.ts'
import { createPasswords, passwordCost } from '../../src/seal/passwords.ts'

const cheap = { memoryKiB: 64, passes: 1, parallelism: 1 }

t.test('a password is kept as argon2id with at least the recommended cost', async (t) => {
  const passwords = createPasswords()
  const stored = await passwords.hash('nine lives of a cat')
  const [, memory, passes, lanes, salt, tag] =
    /^\$argon2id\$v=19\$m=(\d+),t=(\d+),p=(\d+)\$([^$]+)\$([^$]+)$/.exec(stored) ?? []
  t.ok(Number(memory) >= 47_104 && Number(passes) >= 1 && Number(lanes) === 1)
  t.equal(Buffer.from(salt ?? '', 'base64').length, 16)
  t.equal(Buffer.from(tag ?? '', 'base64').length, 32)
  t.same(await passwords.verify('nine lives of a cat', stored), { isRight: true, isStale: false })
  t.same(await passwords.verify('nine lives of a dog', stored), { isRight: false, isStale: false })
  t.same(passwordCost, { memoryKiB: 47_104, passes: 1, parallelism: 1 })
})

t.test('the same password is kept differently each time', async (t) => {
  const passwords = createPasswords(cheap)
  t.not(await passwords.hash('nine lives of a cat'), await passwords.hash('nine lives of a cat'))
})

t.test('a hash of another cost is right, and marked as outdated', async (t) => {
  const stored = await createPasswords(cheap).hash('nine lives of a cat')
  const dearer = createPasswords({ ...cheap, passes: 2 })
  t.same(await dearer.verify('nine lives of a cat', stored), { isRight: true, isStale: true })
  t.same(await dearer.verify('something else', stored), { isRight: false, isStale: false })
})

t.test('nobody signs in without a stored hash, or with a damaged one', async (t) => {
  const passwords = createPasswords(cheap)
  for (const stored of [null, '', 'plain', '$argon2id$v=19$m=64,t=1,p=1$$']) {
    t.same(await passwords.verify('nine lives of a cat', stored), {
      isRight: false,
      isStale: false,
    })
  }
})

t.test('two are hashed at once and fifty wait; the next is told when to retry', async (t) => {
  const passwords = createPasswords(cheap)
  const asked = Array.from({ length: 53 }, () => passwords.hash('nine lives of a cat'))
  const settled = await Promise.allSettled(asked)
  t.equal(settled.filter(({ status }) => status === 'fulfilled').length, 52)
  t.match(settled.at(-1), { reason: { code: 'unavailable', headers: [['Retry-After', /^\d+$/]] } })
  t.ok(await passwords.hash('nine lives of a cat'), 'afterwards there is room again')
})

t.test('common passwords are refused, others are not', async (t) => {
  const own = ['alice.miller@example.com', 'Alice Miller', 'Acme Rockets']
  const refused = {
    'too short': 'minLength',
    ['x9'.repeat(65)]: 'maxLength',
    password1234: 'guessable',
    'Password123!': 'guessable',
    p4ssw0rd1234: 'guessable',
    'p@ssw0rd2024!': 'guessable',
    iloveyou1234: 'guessable',
    '123456789012': 'guessable',
    qwertyuiop123: 'guessable',
    poiuytrewq09: 'guessable',
    '1q2w3e4r5t6y': 'guessable',
    aaaaaaaaaaaa: 'guessable',
    hunter2hunter2: 'guessable',
    alicealice12: 'guessable',
    AliceMiller1: 'guessable',
    AcmeRockets2024: 'guessable',
    stillup12345: 'guessable',
  }
  for (const [password, keyword] of Object.entries(refused)) {
    t.equal(passwordProblem(password, own)?.keyword, keyword, password)
  }
  const accepted = [
    'nine lives of a cat',
    'correct horse battery',
    'Zz8#kq!vLp02',
    'übermorgen regnet es',
    '🦊🦔🐢🐙🦉🐝🐞🦀🐌🐠🐬🦭',
    'tr0ub4dor&3xyz',
    'x9F2x9F2x9F2QQQQQQQQQQ tail of it',
  ]
  for (const password of accepted) t.equal(passwordProblem(password, own), undefined, password)
})
