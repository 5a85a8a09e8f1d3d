// The completion script for bash, which needs nothing but bash.
import { type Completes, type CompletionNode, quoted } from './tree.ts'

/** The argument of `_stillup_offer`: what to offer. */
function offerOf(completes: Completes): string {
  if (completes === 'file') return ':file'
  if (completes === 'directory') return ':directory'
  return completes === 'nothing' ? ':nothing' : completes.join(' ')
}

function flagsOf({ options }: CompletionNode): string[] {
  return options.flatMap(({ long, short }) => [
    ...(short === undefined ? [] : [`-${short}`]),
    `--${long}`,
  ])
}

/** The pattern of the options that take a value. */
function valuePattern(nodes: readonly CompletionNode[]): string {
  const flags = nodes.flatMap(({ options }) =>
    options
      .filter(({ value }) => value !== undefined)
      .flatMap(({ long, short }) => [`--${long}`, ...(short === undefined ? [] : [`-${short}`])]),
  )
  return [...new Set(flags)].join('|')
}

function valueCases({ path, options }: CompletionNode): string[] {
  return options.flatMap(({ long, short, value }) => {
    if (!value) return []
    const spellings = [`--${long}`, ...(short === undefined ? [] : [`-${short}`])]
    const patterns = spellings.map((flag) => quoted(`${path}:${flag}`)).join('|')
    return [`    ${patterns}) offer=${quoted(offerOf(value.completes))} ;;`]
  })
}

function wordCases({ path, commands, args }: CompletionNode): string[] {
  if (commands.length > 0) {
    const names = commands.map(({ name }) => name).join(' ')
    return [`    ${quoted(`${path}:0`)}) offer=${quoted(names)} ;;`]
  }
  return args.map((one, at) => `    ${quoted(`${path}:${at}`)}) offer=${quoted(offerOf(one))} ;;`)
}

export function bashCompletion(nodes: readonly CompletionNode[]): string {
  const groups = nodes.filter(({ path, commands }) => path !== '' && commands.length > 0)
  return `# Completion of stillup for bash. Made by: stillup completion bash
_stillup() {
  local current=\${COMP_WORDS[COMP_CWORD]} previous=\${COMP_WORDS[COMP_CWORD-1]}
  local path='' words=0 at word offer='' flags=''
  COMPREPLY=()
  # The words before the cursor that are no options: first the command, then its arguments.
  for ((at = 1; at < COMP_CWORD; at++)); do
    word=\${COMP_WORDS[at]}
    case $word in
      ${valuePattern(nodes)}) ((at++)); continue ;;
      -*) continue ;;
    esac
    case $path in
      '') path=$word ;;
      ${groups.map(({ path }) => quoted(path)).join('|')}) path="$path $word" ;;
      *) ((words++)) ;;
    esac
  done
  case $path:$previous in
${nodes.flatMap(valueCases).join('\n')}
  esac
  if [[ -z $offer ]]; then
    if [[ $current == -* ]]; then
      case $path in
${nodes.map((node) => `        ${quoted(node.path)}) offer=${quoted(flagsOf(node).join(' '))} ;;`).join('\n')}
      esac
    else
      case $path:$words in
${nodes
  .flatMap(wordCases)
  .map((line) => `    ${line}`)
  .join('\n')}
      esac
    fi
  fi
  case $offer in
    '' | :nothing) ;;
    :file) compopt -o filenames 2>/dev/null; mapfile -t COMPREPLY < <(compgen -f -- "$current") ;;
    :directory) compopt -o filenames 2>/dev/null; mapfile -t COMPREPLY < <(compgen -d -- "$current") ;;
    *) mapfile -t COMPREPLY < <(compgen -W "$offer" -- "$current") ;;
  esac
}
complete -F _stillup stillup`
}
