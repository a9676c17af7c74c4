#!/usr/bin/env bash
# Runs the clients of deploy/clients against a real server and compares what they print.
#
# Usage: clients.sh [python] [reflection] [node] [go] [java] [rust]      default: python reflection node
#
# Go and Java are built from Debian's packages (golang-google-grpc-dev, libgrpc-java, …), Rust with cargo.
set -euo pipefail
# shellcheck source-path=SCRIPTDIR source=lib.sh
source "$(dirname "${BASH_SOURCE[0]}")/lib.sh"

(($#)) || set -- python reflection node
binary="$(server_binary)"
need curl curl
grpc="$(free_port)"
start_server "$grpc" "$(free_port)"
target="127.0.0.1:$grpc"

# The clients find the proto files and the service config by relative paths.
tree="$work/deploy/clients"
mkdir -p "$work/deploy"
ln -s "$repo/proto" "$work/proto"
cp -r "$repo/deploy/clients" "$tree"

run_python() {
    python_stubs .
    "$python" play.py "$target"
}

run_reflection() {
    need_python
    "$python" reflect.py "$target"
}

run_node() {
    mkdir -p "$cache/node"
    if ! cmp -s package.json "$cache/node/installed.json"; then
        npm install --silent --no-audit --no-fund --no-package-lock --prefix "$cache/node" \
            "@grpc/grpc-js@$(jq -r '.dependencies["@grpc/grpc-js"]' package.json)" \
            "@grpc/proto-loader@$(jq -r '.dependencies["@grpc/proto-loader"]' package.json)" >&2
        cp package.json "$cache/node/installed.json"
    fi
    NODE_PATH="$cache/node/node_modules" node play.js "$target"
}

run_go() {
    need go golang-go
    need protoc protobuf-compiler
    need protoc-gen-go-grpc protoc-gen-go-grpc
    [[ -d /usr/share/gocode/src/google.golang.org/grpc ]] || need no-program golang-google-grpc-dev
    [[ -d /usr/share/gocode/src/google.golang.org/protobuf ]] || need no-program golang-google-protobuf-dev
    # Debian's protoc-gen-go is too old for optional fields; its library brings the source of a newer one.
    GO111MODULE=off GOPATH=/usr/share/gocode GOCACHE="$cache/go" \
        go build -o bin/protoc-gen-go google.golang.org/protobuf/cmd/protoc-gen-go
    # And its grpc marshals with the old library, which does not know messages of the new one.
    cat >codec.go <<'EOF'
package main

import (
	"google.golang.org/grpc/encoding"
	"google.golang.org/protobuf/proto"
)

type codec struct{}

func (codec) Name() string                              { return "proto" }
func (codec) Marshal(message interface{}) ([]byte, error) { return proto.Marshal(message.(proto.Message)) }
func (codec) Unmarshal(data []byte, message interface{}) error {
	return proto.Unmarshal(data, message.(proto.Message))
}

func init() { encoding.RegisterCodec(codec{}) }
EOF
    local module=example.com/doudizhu-client file mapping=()
    for file in "$repo"/proto/doudizhu/v1/*.proto; do
        mapping+=("--go_opt=M${file#"$repo/proto/"}=$module/doudizhuv1" "--go-grpc_opt=M${file#"$repo/proto/"}=$module/doudizhuv1")
    done
    PATH="$PWD/bin:$PATH" protoc -I "$repo/proto" --go_out=. --go-grpc_out=. --go_opt="module=$module" \
        --go-grpc_opt="module=$module" "${mapping[@]}" "$repo"/proto/doudizhu/v1/*.proto
    mkdir -p "$work/gopath/src/example.com"
    ln -s "$PWD" "$work/gopath/$(dirname "src/$module")/doudizhu-client"
    (cd "$work/gopath/src/$module" &&
        GO111MODULE=off GOPATH="$work/gopath:/usr/share/gocode" GOCACHE="$cache/go" go build -o bin/play .)
    # Retries were off in releases as old as Debian's.
    GRPC_GO_RETRY=on bin/play "$target"
}

run_java() {
    need javac openjdk-17-jdk-headless
    need protoc protobuf-compiler
    need grpc_java_plugin protobuf-compiler-grpc-java-plugin
    local jars=/usr/share/java jar classpath=classes package
    for package in libgrpc-java libprotobuf-java libnetty-java libgoogle-gson-java libperfmark-java \
        libgeronimo-annotation-1.3-spec-java libguava-java; do
        dpkg -s "$package" >/dev/null 2>&1 || need no-program "$package"
    done
    for jar in grpc-api grpc-context grpc-core grpc-netty grpc-protobuf grpc-protobuf-lite grpc-stub protobuf guava \
        failureaccess gson geronimo-annotation-1.3-spec perfmark-api perfmark-impl netty-buffer netty-codec netty-codec-http \
        netty-codec-http2 netty-common netty-handler netty-resolver netty-transport \
        netty-transport-native-unix-common; do
        [[ ! -e $jars/$jar.jar ]] || classpath="$classpath:$jars/$jar.jar"
    done
    protoc -I "$repo/proto" --java_out=. --grpc-java_out=. \
        --plugin=protoc-gen-grpc-java="$(command -v grpc_java_plugin)" "$repo"/proto/doudizhu/v1/*.proto
    mkdir -p classes
    find . -name '*.java' -print0 | xargs -0 javac -nowarn -cp "$classpath" -d classes 2>&1 | grep -v '^Note:' >&2 || true
    java -cp "$classpath" Play "$target"
}

run_rust() {
    CARGO_TARGET_DIR="$cache/rust" cargo run --quiet -- "$target"
}

for client in "$@"; do
    folder="$client"
    [[ $client != reflection ]] || folder=python
    (cd "$tree/$folder" && "run_$client") >"$work/$client.txt" || fail "$client"
    if [[ $client == reflection ]]; then
        grep -qEx 'play: GROUP_TYPE_PAIR (RANK_NINE RANK_NINE|RANK_KING RANK_KING)' "$work/$client.txt" || fail "$(cat "$work/$client.txt")"
        grep -q 'doudizhu.v1.DecisionService' "$work/$client.txt" || fail "reflection does not list the service"
    else
        # Which of the two pairs is the strategy's choice.
        grep -qEx 'play: PAIR (9h 9s|Kh Ks)' "$work/$client.txt" || fail "$client: $(cat "$work/$client.txt")"
        grep -qx 'legal plays: 3' "$work/$client.txt" || fail "$client: $(cat "$work/$client.txt")"
        grep -qx 'check: PAIR 9h 9s beats' "$work/$client.txt" || fail "$client: $(cat "$work/$client.txt")"
        cmp "${reference:=$work/$client.txt}" "$work/$client.txt" >&2 || fail "$client prints something else"
    fi
    say "$client: ok"
done
# A client that cannot reach a server says so, and does not hang.
if [[ " $* " == *" python "* ]]; then
    closed="$(free_port)"
    if (cd "$tree/python" && "$python" play.py "127.0.0.1:$closed") 2>"$work/closed.txt"; then fail "no server, no error"; fi
    grep -q '^UNAVAILABLE\|^DEADLINE_EXCEEDED' "$work/closed.txt" || fail "$(cat "$work/closed.txt")"
fi
cat "${reference:-/dev/null}" >&2
say "clients: ok"
