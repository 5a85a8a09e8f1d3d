// The completion script for zsh: _arguments and _describe do the work.
import { type Completes, type CompletionNode, type CompletionOption, quoted } from './tree.ts'

/** The action of _arguments. */
function actionOf(completes: Completes): string {
  if (completes === 'file') return '_files'
  if (completes === 'directory') return '_files -/'
  return completes === 'nothing' ? ' ' : `(${completes.join(' ')})`
}

/** Brackets and colons mean something in a specification. */
function escaped(text: string): string {
  return text.replace(/[[\]:\\]/g, '\\$&')
}

function optionSpecs({ long, short, about, value }: CompletionOption): string[] {
  const rest = value ? `:${value.name}:${actionOf(value.completes)}` : ''
  const spec = (flag: string) => quoted(`*${flag}[${escaped(about)}]${rest}`)
  return [spec(`--${long}`), ...(short === undefined ? [] : [spec(`-${short}`)])]
}

function leafCase({ path, options, args }: CompletionNode): string {
  const words = args.map((one, at) => quoted(`${at + 1}:word:${actionOf(one)}`))
  const specs = [...options.flatMap(optionSpecs), ...words]
  return `    ${quoted(path)}) _arguments ${specs.join(' ')} ;;`
}

function groupCase({ path, commands, options }: CompletionNode): string {
  const described = commands.map(({ name, about }) => quoted(`${escaped(name)}:${about}`))
  const flags = options.flatMap(optionSpecs).join(' ')
  return `    ${quoted(path)})
      commands=(${described.join(' ')})
      if [[ $words[CURRENT] == -* ]]; then _arguments ${flags}
      else _describe command commands
      fi ;;`
}

export function zshCompletion(nodes: readonly CompletionNode[]): string {
  const groups = nodes.filter(({ path, commands }) => path !== '' && commands.length > 0)
  return `#compdef stillup
# Completion of stillup for zsh. Made by: stillup completion zsh
_stillup() {
  local cmd='' at=2
  local -a commands
  # The command is what its options and arguments are completed for.
  while (( at < CURRENT )); do
    case $words[at] in
      -c|--config) (( at += 2 )); continue ;;
      -*) (( at += 1 )); continue ;;
    esac
    cmd=$words[at]
    break
  done
  case $cmd in
    ${groups.map(({ path }) => quoted(path)).join('|')})
      if (( at + 1 < CURRENT )) && [[ $words[at+1] != -* ]]; then
        (( at += 1 ))
        cmd="$cmd $words[at]"
      fi ;;
  esac
  if [[ -n $cmd ]]; then
    # The line as if the command was its first word.
    words=("$cmd" "\${(@)words[at+1,-1]}")
    (( CURRENT -= at - 1 ))
  fi
  case $cmd in
${nodes.map((node) => (node.commands.length > 0 ? groupCase(node) : leafCase(node))).join('\n')}
  esac
}
if [[ $zsh_eval_context[-1] == loadautofunc ]]; then _stillup "$@"
else compdef _stillup stillup
fi`
}
