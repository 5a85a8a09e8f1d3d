// What people paste on another machine to run a probe there.

import probeUnit from 'api:probe-unit'

export interface ProbeStart {
  /** The address of this service, without a slash at the end. */
  readonly server: string
  readonly token: string
}

/** Lets the probe check addresses of a private network, such as this one. */
const allowance = 'STILLUP_CHECKS_ALLOW=10.0.0.0/8'

/** As an option of the container. */
export const containerSetting = `-e ${allowance}`

/** Where the unit has its variables, such as those of a proxy. */
const unitVariables = '/etc/stillup/probe.env'

/** As a line of its file. */
export const systemdSetting = `${allowance} (${unitVariables})`

/** Makes the image that the container runs. */
export const imageCommand = 'docker build -t stillup .'

/** The check of health that the image has is one of the daemon. */
export function containerCommand({ server, token }: ProbeStart): string {
  return `docker run -d --name stillup-probe --restart unless-stopped \\
  --read-only --cap-drop ALL --security-opt no-new-privileges --no-healthcheck \\
  -e STILLUP_PROBE_TOKEN=${token} \\
  stillup probe --server ${server}`
}

/** The token lies in a file that only root can read; systemd gives it to the probe. */
export function systemdCommands({ server, token }: ProbeStart): string {
  return `sudo install -D -m 600 /dev/stdin /etc/stillup/probe-token <<'END'
${token}
END
sudo tee /etc/systemd/system/stillup-probe.service >/dev/null <<'END'
${probeUnit.replace(/\$\{PROBE_SERVER\}/, () => server)}
END
sudo systemctl daemon-reload
sudo systemctl enable --now stillup-probe`
}

/** An address that means the own machine wherever it is used. */
export const isOwnMachine = (server: string) =>
  /^(localhost|.*\.localhost|127\..*|\[::1\])$/.test(new URL(server).hostname)
