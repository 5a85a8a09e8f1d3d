// Keeps a page that failed from leaving nothing: says so, and lets other pages go on.
import { Component, type ComponentChildren } from 'preact'
import { words } from '../../words/words.ts'
import { Reload } from './reload.tsx'

export interface GuardProps {
  /** The address of the page: another one gets a new chance. */
  readonly path: string
  readonly children: ComponentChildren
}

interface GuardState {
  readonly failedPath?: string
}

export class Guard extends Component<GuardProps, GuardState> {
  override componentDidCatch(error: unknown): void {
    reportError(error)
    this.setState({ failedPath: this.props.path })
  }

  override render({ path, children }: GuardProps, { failedPath }: GuardState) {
    if (failedPath !== path) return children
    return <Reload about={words.value.common.reload.failed} />
  }
}
