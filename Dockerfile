# stillup in a container: one binary, the few libraries it needs, ping. No shell, no Node, no npm.
# Build:   docker build -t stillup .
# Run:     docker run -d --name stillup --restart unless-stopped -p 127.0.0.1:8080:8080 \
#            -v stillup:/var/lib/stillup --read-only --cap-drop ALL \
#            --security-opt no-new-privileges --stop-timeout 40 stillup
# First:   docker logs stillup shows how to make the first account.
# Look:    docker exec stillup stillup doctor
# With TLS, a key apart from the data, and mail: compose.yaml. All of it: docs/install.md.

# Any image of Debian 12 or later that has npm and Node 20 or later. It only builds.
ARG BUILD_IMAGE=docker.io/library/node:24-trixie-slim

FROM ${BUILD_IMAGE} AS build
WORKDIR /src
COPY package.json package-lock.json ./
COPY bin bin
COPY scripts/relink-uws.ts scripts/
RUN npm ci --no-audit --no-fund
COPY . .
RUN npm run build && node_modules/.bin/node scripts/build/container.ts /out/native
# A clone made under a strict umask may be readable only by its owner.
RUN chmod -R a+rX LICENSE NOTICE

FROM ${BUILD_IMAGE} AS root
ARG TARGETARCH
COPY scripts/container/root.sh /
# uWebSockets.js and Node need glibc, so Alpine does not work.
RUN sh /root.sh "${TARGETARCH:-$(dpkg --print-architecture)}" /out/root \
    && install -d /out/state && install -d -m 0700 /out/state/stillup

FROM scratch
COPY --from=root /out/root/ /
# A new volume takes owner and mode from this directory.
COPY --from=root --chown=1000:1000 /out/state/ /var/lib/
COPY --from=build /out/native/ /usr/local/lib/stillup/native/
COPY --from=build /src/LICENSE /src/NOTICE /usr/share/doc/stillup/
COPY --from=build /src/dist/stillup /usr/local/bin/stillup
LABEL org.opencontainers.image.title="stillup" \
      org.opencontainers.image.description="Uptime monitoring that one person can run" \
      org.opencontainers.image.version="0.1.0" \
      org.opencontainers.image.licenses="MIT"
# libuv's threads write to the disk and hash passwords; four are too few for both.
ENV PATH=/usr/local/bin:/usr/bin \
    UV_THREADPOOL_SIZE=16 \
    STILLUP_HTTP_LISTEN=0.0.0.0:8080 \
    STILLUP_DATA_DIR=/var/lib/stillup
USER 1000:1000
WORKDIR /var/lib/stillup
VOLUME ["/var/lib/stillup"]
EXPOSE 8080
# It drains for at most 30 s; docker waits for 10 s unless --stop-timeout says otherwise.
STOPSIGNAL SIGTERM
HEALTHCHECK --interval=30s --timeout=5s --start-period=30s --retries=3 \
    CMD ["/usr/local/bin/stillup", "healthcheck"]
ENTRYPOINT ["/usr/local/bin/stillup"]
CMD ["serve"]
