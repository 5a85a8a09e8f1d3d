// The completion script for fish: a line for each word that may follow.
import type { Completes, CompletionNode, CompletionOption } from './tree.ts'

/** A text within single quotes of fish. */
function fishQuoted(text: string): string {
  return `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`
}

function takesOf(completes: Completes): string {
  if (completes === 'file') return ' -r -F'
  if (completes === 'directory') return " -x -a '(__fish_complete_directories)'"
  return completes === 'nothing' ? ' -x' : ` -x -a ${fishQuoted(completes.join(' '))}`
}

function optionLine(condition: string, { long, short, about, value }: CompletionOption): string {
  const letter = short === undefined ? '' : ` -s ${short}`
  const rest = value ? takesOf(value.completes) : ''
  return `complete -c stillup -n ${condition}${letter} -l ${long}${rest} -d ${fishQuoted(about)}`
}

function linesOf({ path, commands, options, args }: CompletionNode): string[] {
  const at = (words: string) => fishQuoted(`__stillup_at ${words}`)
  const within = fishQuoted(`__stillup_in ${path === '' ? "''" : `"${path}"`}`)
  const named = commands.map(({ name, about }) => {
    const where = at(`"${path}" 0`)
    return `complete -c stillup -n ${where} -a ${name} -d ${fishQuoted(about)}`
  })
  const words = args.flatMap((one, index) => {
    if (one === 'nothing') return []
    return [`complete -c stillup -n ${at(`"${path}" ${index}`)}${takesOf(one).replace(' -r', '')}`]
  })
  return [...named, ...options.map((option) => optionLine(within, option)), ...words]
}

export function fishCompletion(nodes: readonly CompletionNode[]): string {
  const groups = nodes.filter(({ path, commands }) => path !== '' && commands.length > 0)
  const flags = nodes.flatMap(({ options }) =>
    options.flatMap(({ long, short, value }) =>
      value ? [`--${long}`, ...(short === undefined ? [] : [`-${short}`])] : [],
    ),
  )
  return `# Completion of stillup for fish. Made by: stillup completion fish
# Prints the command on the line so far, and how many arguments it has.
function __stillup_path
    set -l path ''
    set -l count 0
    set -l skips 0
    for word in (commandline -opc)[2..-1]
        if test $skips = 1
            set skips 0
            continue
        end
        switch $word
            case ${[...new Set(flags)].join(' ')}
                set skips 1
            case '-*'
            case '*'
                switch $path
                    case ''
                        set path $word
                    case ${groups.map(({ path }) => fishQuoted(path)).join(' ')}
                        set path "$path $word"
                    case '*'
                        set count (math $count + 1)
                end
        end
    end
    echo $path
    echo $count
end
function __stillup_in
    set -l found (__stillup_path)
    test "$found[1]" = "$argv[1]"
end
function __stillup_at
    set -l found (__stillup_path)
    test "$found[1]" = "$argv[1]" -a "$found[2]" = "$argv[2]"
end
complete -c stillup -f
${nodes.flatMap(linesOf).join('\n')}`
}
