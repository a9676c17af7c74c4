// Plays one turn of Dou Dizhu: asks what to play, what else could be played (the hint button), and whether a play is legal.
// ../README.md tells how to generate the package doudizhuv1 and how to run it.
package main

import (
	"context"
	"fmt"
	"log"
	"os"
	"strings"

	"google.golang.org/grpc"

	pb "example.com/doudizhu-client/doudizhuv1"
)

const suits = "?cdsh"

var ranks = map[string]pb.Rank{
	"3": 3, "4": 4, "5": 5, "6": 6, "7": 7, "8": 8, "9": 9, "T": 10, "J": 11, "Q": 12, "K": 13, "A": 14, "2": 15,
	"SJ": 16, "BJ": 17,
}

// cards reads cards from text such as "9s 9h".
func cards(text string) []*pb.Card {
	var cards []*pb.Card
	for _, word := range strings.Fields(text) {
		suit := pb.Suit(strings.Index(suits, word[1:]))
		cards = append(cards, &pb.Card{Rank: ranks[word[:1]], Suit: suit})
	}
	return cards
}

func show(group *pb.Group) string {
	words := []string{strings.TrimPrefix(group.Type.String(), "GROUP_TYPE_")}
	for _, card := range group.Cards {
		for name, rank := range ranks {
			if rank == card.Rank {
				words = append(words, strings.TrimSuffix(name+suits[card.Suit:card.Suit+1], "?"))
			}
		}
	}
	return strings.Join(words, " ")
}

func play(ctx context.Context, target, serviceConfig string) error {
	// Dial and WithInsecure have newer names (NewClient, insecure.NewCredentials) that older releases lack; they stay
	// throughout version 1.
	conn, err := grpc.Dial(target, grpc.WithInsecure(), grpc.WithDefaultServiceConfig(serviceConfig))
	if err != nil {
		return err
	}
	defer conn.Close()
	service := pb.NewDecisionServiceClient(conn)

	// The landlord has played a pair of eights; the peasant after the landlord is to move.
	turn := &pb.Situation{
		Hand:       cards("3c 4d 5s 6h 7c 9s 9h Jd Ks Kh As 2c"),
		Role:       pb.Role_ROLE_PEASANT_AFTER_LANDLORD,
		ToBeat:     cards("8c 8d"),
		LastPlayer: pb.Role_ROLE_LANDLORD,
	}
	answer, err := service.Decide(ctx, &pb.DecideRequest{RequestId: "turn-1", Situation: turn})
	if err != nil {
		return err
	}
	fmt.Println("play:", show(answer.Play))
	fmt.Println("strategy:", answer.Strategy)

	// A hint for a human: the best plays, to be shown one after the other.
	hint, err := service.RankPlays(ctx, &pb.RankPlaysRequest{Situation: turn, Limit: 3})
	if err != nil {
		return err
	}
	fmt.Println("legal plays:", hint.LegalPlays)
	for _, ranked := range hint.Plays {
		fmt.Println("  " + show(ranked.Play))
	}

	// Checks what a human wants to put on the table.
	check, err := service.ClassifyPlay(ctx, &pb.ClassifyPlayRequest{Cards: cards("9s 9h"), ToBeat: cards("8c 8d")})
	if err != nil {
		return err
	}
	verdict := "does not beat"
	if check.GetBeats() {
		verdict = "beats"
	}
	fmt.Println("check:", show(check.Group), verdict)
	return nil
}

func main() {
	target := "localhost:50051"
	if len(os.Args) > 1 {
		target = os.Args[1]
	}
	// Deadline, retries and round robin over all addresses of target. Every call is safe to retry.
	serviceConfig, err := os.ReadFile("../service_config.json")
	if err != nil {
		log.Fatal(err)
	}
	if err := play(context.Background(), target, string(serviceConfig)); err != nil {
		log.Fatal(err)
	}
}
