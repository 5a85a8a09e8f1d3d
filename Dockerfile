# stillup in a container. Build: docker build -t stillup .
# Run:   docker run -d --name stillup --restart unless-stopped -p 127.0.0.1:8080:8080 \
#          -v stillup:/var/lib/stillup --read-only --tmpfs /tmp \
#          --cap-drop ALL --security-opt no-new-privileges --stop-timeout 40 stillup
# First: docker logs stillup has the three commands for a first monitor.
# Set:   -e STILLUP_HTTP_BASE_URL=https://up.example.com and so on, or a file:
#          -v ./stillup.toml:/etc/stillup/stillup.toml:ro
# Key:   apart from the data, in a file that the user 1000 may read:
#          -v ./master.key:/run/master.key:ro -e STILLUP_DATA_MASTER_KEY_FILE=/run/master.key
# A directory in place of the volume has to belong to the user 1000.
#
# trixie, because uWebSockets.js asks for glibc 2.38; never Alpine, it is not built for musl.
FROM node:24-trixie-slim AS install
WORKDIR /opt/stillup
COPY package.json package-lock.json ./
COPY scripts/relink-uws.ts scripts/
# The image brings Node 24 itself, so the packages that carry it elsewhere are taken out again, and
# 100 MB of uWebSockets.js for other systems and versions of Node.
RUN npm ci --omit=dev && rm -rf node_modules/node-linux-* node_modules/.bin/node \
    && uws="uws_linux_$(node -p 'process.arch + "_" + process.versions.modules').node" \
    && test -f "node_modules/uWebSockets.js/$uws" \
    && find node_modules/uWebSockets.js -name 'uws_*.node' ! -name "$uws" -delete

FROM node:24-trixie-slim
WORKDIR /opt/stillup
# Docker lets every user in a container ping without a privilege, so ping is given none: a copy of
# it has no capability. With one of its own, it would not even start where --cap-drop ALL is said.
RUN apt-get update && apt-get install -y --no-install-recommends iputils-ping \
    && rm -rf /var/lib/apt/lists/* \
    && install -m 755 /usr/bin/ping /usr/bin/ping.copy && mv /usr/bin/ping.copy /usr/bin/ping
# The volume belongs to the user that writes to it: a new one takes its owner from the image.
RUN install -d -m 0700 -o node -g node /var/lib/stillup
COPY --from=install /opt/stillup/node_modules node_modules
COPY package.json LICENSE NOTICE ./
COPY config config
COPY src src
# A clone made under a strict umask may be read by its owner alone.
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
