// stillup completion SHELL: prints the script that lets a shell complete commands and options.
import { defineCommand } from '../model/command.ts'
import { bashCompletion } from './bash.ts'
import { fishCompletion } from './fish.ts'
import { type CompletionNode, completionTree } from './tree.ts'
import { zshCompletion } from './zsh.ts'

const scripts: Readonly<Record<string, (nodes: readonly CompletionNode[]) => string>> = {
  bash: bashCompletion,
  zsh: zshCompletion,
  fish: fishCompletion,
}

export const command = defineCommand({
  about:
    'The script names every command and option of this version: make it again after an upgrade.',
  args: { shell: { about: 'the shell', choices: ['bash', 'zsh', 'fish'] } },
  examples: [
    ['stillup completion bash > /etc/bash_completion.d/stillup', 'for every user of bash'],
    [
      'stillup completion zsh > /usr/local/share/zsh/site-functions/_stillup',
      'for every user of zsh',
    ],
    ['stillup completion fish > ~/.config/fish/completions/stillup.fish', 'for this user of fish'],
  ],
  hasJson: false,
  async run({ host, args, catalog }) {
    const script = scripts[args.shell]?.(await completionTree(catalog)) ?? ''
    host.print(script)
  },
})
