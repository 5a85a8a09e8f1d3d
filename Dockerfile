# stillup in a container. Build: docker build -t stillup .
# Run:   docker run -d --name stillup --restart unless-stopped -p 127.0.0.1:8080:8080 \
#          -v stillup:/var/lib/stillup --read-only --tmpfs /tmp \
#          --cap-drop ALL --security-opt no-new-privileges --stop-timeout 40 stillup
# First: docker logs stillup shows the three commands for a first monitor.
# Settings: -e STILLUP_HTTP_BASE_URL=https://up.example.com and so on, or a file:
#          -v ./stillup.toml:/etc/stillup/stillup.toml:ro
# Key:   store it apart from the data, in a file that the user 1000 may read:
#          -v ./master.key:/run/master.key:ro -e STILLUP_DATA_MASTER_KEY_FILE=/run/master.key
# A directory used instead of the volume must belong to the user 1000.
#
# trixie, because uWebSockets.js needs glibc 2.38; Alpine does not work, since it uses musl.
FROM node:24-trixie-slim AS install
WORKDIR /opt/stillup
COPY package.json package-lock.json ./
COPY scripts/relink-uws.ts scripts/
# The image has Node 24, so this removes the npm packages that contain it, and 100 MB of
# uWebSockets.js builds for other systems and versions of Node.
RUN npm ci --omit=dev && rm -rf node_modules/node-linux-* node_modules/.bin/node \
    && uws="uws_linux_$(node -p 'process.arch + "_" + process.versions.modules').node" \
    && test -f "node_modules/uWebSockets.js/$uws" \
    && find node_modules/uWebSockets.js -name 'uws_*.node' ! -name "$uws" -delete

FROM node:24-trixie-slim
WORKDIR /opt/stillup
# Docker lets every user in a container ping without a privilege, so ping gets none: the copy drops
# its file capability. With that capability, ping would not start under --cap-drop ALL.
RUN apt-get update && apt-get install -y --no-install-recommends iputils-ping \
    && rm -rf /var/lib/apt/lists/* \
    && install -m 755 /usr/bin/ping /usr/bin/ping.copy && mv /usr/bin/ping.copy /usr/bin/ping
# A new volume takes its owner from this directory, so the directory belongs to the daemon's user.
RUN install -d -m 0700 -o node -g node /var/lib/stillup
COPY --from=install /opt/stillup/node_modules node_modules
COPY package.json LICENSE NOTICE ./
COPY config config
COPY src src
# A clone made under a strict umask may be readable only by its owner.
RUN chmod -R a+rX config src package.json LICENSE NOTICE
# libuv's threads write to the disk and hash passwords; four are too few for both.
ENV NODE_ENV=production \
    UV_THREADPOOL_SIZE=16 \
    STILLUP_HTTP_LISTEN=0.0.0.0:8080 \
    STILLUP_DATA_DIR=/var/lib/stillup
USER node
VOLUME ["/var/lib/stillup"]
EXPOSE 8080
HEALTHCHECK --interval=30s --timeout=5s --start-period=30s --retries=3 \
    CMD ["node", "/opt/stillup/src/main.ts", "healthcheck"]
ENTRYPOINT ["node", "--max-semi-space-size=8", "--heap-growing-percent=50", "/opt/stillup/src/main.ts"]
CMD ["serve"]
